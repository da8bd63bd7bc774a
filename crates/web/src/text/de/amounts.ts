import { amountFormatters } from '../amounts.ts';

export const { ago, place, list, number, pawns, percent, clockTime, day, dayAndMonth, moment, span, left, remaining, time } = amountFormatters({
  language: 'de',
  months: 'numeric',
  place: (rank) => `${rank}.`,
  days: (count, written) => (count === 1 ? '1 Tag' : `${written} Tage`),
  noClocks: 'Ohne Uhr',
  delay: (minutes, seconds) => `${minutes} min, ${seconds} s Verzögerung`,
  daysEach: (count, written) => (count === 1 ? '1 Tag je Zug' : `${written} Tage je Zug`),
  withinHour: 'in der letzten Stunde',
});
