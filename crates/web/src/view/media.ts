/** Returns whether a media query matches; where the browser cannot say, it does not. */
export function matchesMedia(query: string): boolean {
  try {
    return matchMedia(query).matches;
  } catch {
    return false;
  }
}

/** Calls back whenever the answer to a media query changes, where the browser reports that. */
export function followMedia(query: string, onChange: () => void): void {
  try {
    matchMedia(query).addEventListener('change', onChange);
  } catch {
    // The answer stays as it is until the page is loaded anew.
  }
}
