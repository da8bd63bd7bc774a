import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** A rendered element with the values that it was made from. */
interface MadeElement {
  readonly dependencies: readonly unknown[];
  readonly element: JSX.Element;
}

/** Returns the element of a key, which is made again only when one of its dependencies has changed. */
export type StableElements = (key: string, dependencies: readonly unknown[], make: () => JSX.Element) => JSX.Element;

/**
 * Returns a function that keeps the elements of a list. Preact skips an element that is the same as in the last
 * rendering, with everything below it, so a long list costs only what has changed in it.
 */
export function useStableElements(): StableElements {
  const made = useRef(new Map<string, MadeElement>());
  return (key, dependencies, make) => {
    const known = made.current.get(key);
    if (known !== undefined && isSame(known.dependencies, dependencies)) return known.element;
    const element = make();
    made.current.set(key, { dependencies, element });
    return element;
  };
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((value, index) => Object.is(value, after[index]));
}
