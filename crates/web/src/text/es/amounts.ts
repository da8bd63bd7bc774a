import { amountFormatters } from '../amounts.ts';
import { type PluralForms, pluralForms } from '../plural.ts';

const form = pluralForms('es');
const DAYS = { one: 'día', other: 'días' };

export const { ago, place, list, number, pawns, percent, clockTime, day, dayAndMonth, moment, span, left, remaining, time } = amountFormatters({
  language: 'es',
  months: 'numeric',
  place: (rank) => `${rank}.º`,
  days: (count, written) => `${written} ${form(count, DAYS)}`,
  noClocks: 'Sin reloj',
  delay: (minutes, seconds) => `${minutes} min, ${seconds} s de retardo`,
  daysEach: (count, written) => `${written} ${form(count, DAYS)} por jugada`,
  withinHour: 'en la última hora',
});

/** Returns a number with its noun: `1 jugada`, `2 jugadas`. */
export function counted(count: number, forms: PluralForms): string {
  return `${number(count)} ${form(count, forms)}`;
}
