/** Returns whether a media query matches; `false` in a browser that cannot answer. */
export function matchesMedia(query: string): boolean {
  try {
    return matchMedia(query).matches;
  } catch {
    return false;
  }
}

/** Reports each change of a media query's result, in browsers that notice it. */
export function followMedia(query: string, onChange: () => void): void {
  try {
    matchMedia(query).addEventListener('change', onChange);
  } catch {
    // The result stays the same until the page is reloaded.
  }
}
