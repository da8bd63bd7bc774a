import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** A rendered element with the values that determine it. */
interface MadeElement {
  readonly dependencies: readonly unknown[];
  readonly element: JSX.Element;
}

/**
 * Returns the element with a key. The element is made again only if one of its dependencies has
 * changed.
 */
export type StableElements = (key: string, dependencies: readonly unknown[], make: () => JSX.Element) => JSX.Element;

/**
 * Returns a function that keeps the elements of a list. If an element is the same object as in the
 * last rendering, Preact skips it and everything below it. In a long list, only the changed
 * elements are therefore rendered.
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
