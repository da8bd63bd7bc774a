import type { TimeSetting } from '../../protocol/generated.ts';
import { localeOf } from '../locale.ts';

const locale = localeOf('de');
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const lists = new Intl.ListFormat(locale);

/** A final place. */
export function place(rank: number): string {
  return `${rank}.`;
}

/** `A`, `A und B`, `A, B und C`. */
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

/** `45 s`, `5 min`, `2 h`, `1 Tag`: the largest unit that fits without a rest. */
export function span(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'Tag'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const [size, unit] = units.find(([one]) => ms >= one && ms % one === 0) ?? [1_000, 's'];
  const count = Math.round(ms / size);
  return `${number(count)} ${unit === 'Tag' && count !== 1 ? 'Tage' : unit}`;
}

/** How time runs at a table, in a few words. */
export function time(setting: TimeSetting): string {
  switch (setting.kind) {
    case 'none':
      return 'Ohne Uhr';
    case 'fischer':
      return `${number(setting.base_ms / 60_000)} min + ${number(setting.increment_ms / 1_000)} s`;
    case 'delay':
      return `${number(setting.base_ms / 60_000)} min, ${number(setting.delay_ms / 1_000)} s Verzögerung`;
    case 'correspondence':
      return setting.days === 1 ? '1 Tag je Zug' : `${number(setting.days)} Tage je Zug`;
  }
}
