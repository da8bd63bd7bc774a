import { describe, expect, it } from 'vitest';
import { fillSlots, type Slot } from '../src/store/slots.ts';

const written = (slots: readonly Slot<string>[]): string => slots.map(({ id, isGone }) => (isGone ? `(${id})` : id)).join(' ');

/** Returns the slots after a sequence of lists. */
function through(lists: readonly string[], most?: number): string {
  let slots: readonly Slot<string>[] = [];
  for (const list of lists) slots = fillSlots(slots, list.split(' ').filter((id) => id !== ''), (id) => id, most);
  return written(slots);
}

describe('fillSlots', () => {
  it('keeps the order of the first list', () => {
    expect(through(['a b c'])).toBe('a b c');
  });

  it('keeps the slots of entries that stay, and appends new ones', () => {
    expect(through(['a b', 'c b a'])).toBe('a b c');
  });

  it('keeps the slot of a gone entry until a new one needs it', () => {
    expect(through(['a b c', 'a c'])).toBe('a (b) c');
    expect(through(['a b c', 'a c', 'd c a'])).toBe('a d c');
  });

  it('returns an entry to its slot', () => {
    expect(through(['a b', 'b', 'b a'])).toBe('a b');
  });

  it('fills a limited number of slots, and the next entry when one is free', () => {
    expect(through(['a b c d'], 2)).toBe('a b');
    expect(through(['a b c d', 'b c d'], 2)).toBe('c b');
    expect(through(['a b', ''], 2)).toBe('(a) (b)');
  });
});
