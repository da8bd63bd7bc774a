/** Returns a value after a JSON merge patch (RFC 7396). The given value is not changed. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(value) ? Object.entries(value) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
