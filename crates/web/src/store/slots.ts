/** A place in a list whose entries keep their positions. */
export interface Slot<T> {
  readonly id: string;
  readonly value: T;
  /** Set if the entry has left the list. Its slot stays until a new entry needs one. */
  readonly isGone: boolean;
}

/**
 * Assigns the entries of a changing list to slots. An entry that stays keeps its slot. An entry
 * that has left the list also keeps its slot, marked as gone, until a new entry takes the slot.
 * Entries therefore never move while the user is about to click on them.
 */
export function fillSlots<T>(
  slotsBefore: readonly Slot<T>[],
  values: readonly T[],
  idOf: (value: T) => string,
  maxSlots = Infinity,
): readonly Slot<T>[] {
  const current = new Map(values.map((value) => [idOf(value), value]));
  const slots = slotsBefore.map(({ id, value }): Slot<T> => {
    const newValue = current.get(id);
    return newValue === undefined ? { id, value, isGone: true } : { id, value: newValue, isGone: false };
  });
  const placed = new Set(slots.map(({ id }) => id));
  for (const value of values) {
    const id = idOf(value);
    if (placed.has(id)) continue;
    const freeIndex = slots.findIndex(({ isGone }) => isGone);
    if (freeIndex !== -1) slots[freeIndex] = { id, value, isGone: false };
    else if (slots.length < maxSlots) slots.push({ id, value, isGone: false });
  }
  return slots;
}
