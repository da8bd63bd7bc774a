import { describe, expect, it } from 'vitest';
import { fillSlots, type Slot } from '../src/store/slots.ts';

const written = (slots: readonly Slot<string>[]): string => slots.map(({ id, isGone: gone }) => (gone ? `(${id})` : id)).join(' ');

/** The slots after a sequence of lists. */
function through(lists: readonly string[], most?: number): string {
  let slots: readonly Slot<string>[] = [];
  for (const list of lists) slots = fillSlots(slots, list.split(' ').filter((id) => id !== ''), (id) => id, most);
  return written(slots);
}

describe('fillSlots', () => {
  it('takes a first list as it is', () => {
    expect(through(['a b c'])).toBe('a b c');
  });

  it('lets what stays keep its place, whatever the order, and puts what is new at the end', () => {
    expect(through(['a b', 'c b a'])).toBe('a b c');
  });

  it('keeps the place of what has gone until something new needs one', () => {
    expect(through(['a b c', 'a c'])).toBe('a (b) c');
    expect(through(['a b c', 'a c', 'd c a'])).toBe('a d c');
  });

  it('lets what has gone come back to its place', () => {
    expect(through(['a b', 'b', 'b a'])).toBe('a b');
  });

  it('shows no more than there is room for, and the next when a place is free', () => {
    expect(through(['a b c d'], 2)).toBe('a b');
    expect(through(['a b c d', 'b c d'], 2)).toBe('c b');
    expect(through(['a b', ''], 2)).toBe('(a) (b)');
  });
});
