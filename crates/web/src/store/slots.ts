/** The entry in a slot of a list that does not jump. */
export interface Slot<T> {
  readonly id: string;
  readonly value: T;
  /** Set if it has left the list meanwhile: its slot is kept until a new entry needs one. */
  readonly gone: boolean;
}

/**
 * Puts a list that changes into places: what stays keeps its place, what has gone keeps it too, as gone, until something
 * new takes it. So nothing one is about to press moves away. There are `most` places at most.
 */
export function fillSlots<T>(
  before: readonly Slot<T>[],
  now: readonly T[],
  idOf: (value: T) => string,
  most = Infinity,
): readonly Slot<T>[] {
  const current = new Map(now.map((value) => [idOf(value), value]));
  const slots = before.map(({ id, value }): Slot<T> => {
    const still = current.get(id);
    return still === undefined ? { id, value, gone: true } : { id, value: still, gone: false };
  });
  const placed = new Set(slots.map(({ id }) => id));
  for (const value of now) {
    const id = idOf(value);
    if (placed.has(id)) continue;
    const free = slots.findIndex(({ gone }) => gone);
    if (free !== -1) slots[free] = { id, value, gone: false };
    else if (slots.length < most) slots.push({ id, value, gone: false });
  }
  return slots;
}
