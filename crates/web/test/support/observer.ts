import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Replaces the observer of the window, for the tests of a file, by one that reports every element
 * as visible.
 */
export function showAllElements(): void {
  beforeAll(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        readonly #publish: (entries: { isIntersecting: boolean }[]) => void;
        constructor(publish: (entries: { isIntersecting: boolean }[]) => void) {
          this.#publish = publish;
        }
        observe(): void {
          this.#publish([{ isIntersecting: true }]);
        }
        disconnect(): void {}
      },
    );
  });
  afterAll(() => void vi.unstubAllGlobals());
}
