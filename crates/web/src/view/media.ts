/** Returns whether a media query matches; `false` in a browser that cannot answer. */
export function matchesMedia(query: string): boolean {
  try {
    return matchMedia(query).matches;
  } catch {
    return false;
  }
}

/** Calls `onChange` at each change of a media query's result, if the browser can observe it. */
export function followMedia(query: string, onChange: () => void): void {
  try {
    matchMedia(query).addEventListener('change', onChange);
  } catch {
    // The result stays the same until the page is reloaded.
  }
}
