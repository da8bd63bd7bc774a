/**
 * Returns the texts of an enum of the protocol, with a text for its other values. A page that was
 * opened before an update of the server may receive values that it does not know.
 */
export function withFallback<Value extends string, Text>(texts: Readonly<Record<Value, Text>>, fallback: Text): Record<Value, Text> {
  return new Proxy(texts, {
    get: (known, value) => (Object.hasOwn(known, value) ? (Reflect.get(known, value) as Text) : fallback),
  });
}
