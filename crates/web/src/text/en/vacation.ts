import { day, dayAndMonth, number } from './amounts.ts';

/** The vacation of a user. */
export const vacation = {
  title: 'Vacation',
  hint: 'While you are on vacation, your clocks in correspondence games stop.',
  left: (count: number) => (count === 1 ? 'You have 1 day left this year.' : `You have ${number(count)} days left this year.`),
  noneLeft: 'You have used all your vacation days of this year.',
  duration: 'Days',
  start: 'Start vacation',
  on: (until_ms: number) => `You are on vacation until ${day(until_ms)}.`,
  endHint: 'Days that have begun count, at least one.',
  end: 'End vacation',
  /** The note at the plate of a player. */
  until: (until_ms: number) => `Back ${dayAndMonth(until_ms)}`,
};
