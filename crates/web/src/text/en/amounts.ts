import type { TimeSetting } from '../../protocol/generated.ts';
import { localeOf } from '../locale.ts';

const locale = localeOf('en');
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
// Of the English lists this is the one without a comma before the last word.
const lists = new Intl.ListFormat('en-GB');

const places = ['', '1st', '2nd', '3rd', '4th'];

/** A final place. */
export function place(rank: number): string {
  return places[rank] ?? `${rank}th`;
}

/** `A`, `A and B`, `A, B and C`. */
export function list(items: readonly string[]): string {
  return lists.format(items);
}

/** A number as it is written here. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A day, from milliseconds since the Unix epoch. */
export function day(ms: number): string {
  return days.format(ms);
}

/** A day and the time on it, from milliseconds since the Unix epoch. */
export function moment(ms: number): string {
  return moments.format(ms);
}

/** `45 s`, `5 min`, `2 h`, `1 day`: the largest unit that fits without a rest. */
export function span(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'day'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const [size, unit] = units.find(([one]) => ms >= one && ms % one === 0) ?? [1_000, 's'];
  const count = Math.round(ms / size);
  return `${number(count)} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

/** How time runs at a table, in a few words. */
export function time(setting: TimeSetting): string {
  switch (setting.kind) {
    case 'none':
      return 'No clocks';
    case 'fischer':
      return `${number(setting.base_ms / 60_000)} min + ${number(setting.increment_ms / 1_000)} s`;
    case 'delay':
      return `${number(setting.base_ms / 60_000)} min, ${number(setting.delay_ms / 1_000)} s delay`;
    case 'correspondence':
      return setting.days === 1 ? '1 day a move' : `${number(setting.days)} days a move`;
  }
}
