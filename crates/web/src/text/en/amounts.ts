import { amountFormatters } from '../amounts.ts';

const places = ['', '1st', '2nd', '3rd', '4th'];

export const { ago, place, list, number, pawns, percent, clockTime, day, dayAndMonth, moment, span, left, remaining, time } = amountFormatters({
  language: 'en',
  // In British English, lists have no comma before the last item.
  lists: 'en-GB',
  months: 'short',
  place: (rank) => places[rank] ?? `${rank}th`,
  days: (count, written) => (count === 1 ? '1 day' : `${written} days`),
  noClocks: 'No clocks',
  delay: (minutes, seconds) => `${minutes} min, ${seconds} s delay`,
  daysEach: (count, written) => (count === 1 ? '1 day a move' : `${written} days a move`),
  withinHour: 'within the last hour',
});
