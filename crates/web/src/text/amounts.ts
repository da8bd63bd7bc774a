import type { TimeSetting } from '../protocol/generated.ts';
import type { Language } from '../store/languages.ts';
import { localeOf } from './locale.ts';

/** The words of a language for amounts. */
interface AmountWords {
  readonly language: Language;
  /** The locale of lists, if it differs from the language. */
  readonly lists?: string;
  /** The form of months in days without a year. Numbers are shorter, but their order differs among English readers. */
  readonly months: 'short' | 'numeric';
  readonly place: (rank: number) => string;
  /** Returns a number of days in words. `written` is the formatted number. */
  readonly days: (count: number, written: string) => string;
  readonly noClocks: string;
  readonly delay: (minutes: string, seconds: string) => string;
  readonly daysEach: (count: number, written: string) => string;
  readonly withinHour: string;
}

/** A unit of time: its length in milliseconds and its name. */
type Unit = readonly [number, 'day' | 'h' | 'min' | 's'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const UNITS: readonly Unit[] = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'h'],
  [60_000, 'min'],
];

/**
 * Returns the formatters for numbers, dates, times and lists in a language. They follow the
 * conventions of the reader's region.
 */
export function amountFormatters(words: AmountWords) {
  const locale = localeOf(words.language);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent' });
  const scores = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const daysAndMonths = new Intl.DateTimeFormat(locale, { day: 'numeric', month: words.months });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const clockTimes = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const agos = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const lists = new Intl.ListFormat(words.lists ?? locale);
  const number = (value: number): string => numbers.format(value);
  const minutes = (ms: number): string => number(ms / 60_000);
  const seconds = (ms: number): string => number(ms / 1_000);
  const inUnit = (ms: number, [size, unit]: Unit = [1_000, 's'], round = Math.round): string => {
    const count = round(ms / size);
    return unit === 'day' ? words.days(count, number(count)) : `${number(count)} ${unit}`;
  };
  return {
    /** Formats a final place. */
    place: words.place,
    /** Formats a list: `A`, `A and B`, `A, B and C`. */
    list: (items: readonly string[]): string => lists.format(items),
    /** Formats a number. */
    number,
    /** Formats a share of 1 as a percentage. */
    percent: (part: number): string => percents.format(part),
    /** Formats a score in hundredths of a pawn. */
    pawns: (points: number): string => scores.format(points / 100),
    /** Formats the time of day of a time in milliseconds since the Unix epoch. */
    clockTime: (ms: number): string => clockTimes.format(ms),
    /** Formats the day of a time in milliseconds since the Unix epoch. */
    day: (ms: number): string => days.format(ms),
    /** Formats the day of a time in milliseconds since the Unix epoch without its year. */
    dayAndMonth: (ms: number): string => daysAndMonths.format(ms),
    /** Formats the day and time of a time in milliseconds since the Unix epoch. */
    moment: (ms: number): string => moments.format(ms),
    /**
     * Formats a span of time in the largest unit that divides it: `45 s`, `5 min`, `2 h`, `1 day`.
     */
    span(ms: number): string {
      return inUnit(ms, UNITS.find(([one]) => ms >= one && ms % one === 0));
    },
    /**
     * Formats a time left. It is rounded to the largest unit that fits at least twice: `7 days`,
     * `36 h`, `90 s`.
     */
    left(ms: number): string {
      return inUnit(ms, UNITS.find(([one]) => Math.round(ms / one) >= 2));
    },
    /**
     * Formats the time until a deadline. It is rounded down to the largest unit that fits at least
     * twice: `6 days`, `47 h`, `90 s`.
     */
    remaining(ms: number): string {
      return inUnit(ms, UNITS.find(([one]) => ms >= 2 * one), Math.floor);
    },
    /** Formats a past time that is known to the hour by its age: `2 hours ago`, `yesterday`. */
    ago(ms: number): string {
      const [hours, wholeDays] = [HOUR_MS, DAY_MS].map((unit) => Math.floor(ms / unit)) as [number, number];
      if (hours < 1) return words.withinHour;
      return wholeDays < 1 ? agos.format(-hours, 'hour') : agos.format(-wholeDays, 'day');
    },
    /** Describes the time control of a table in a few words. */
    time(setting: TimeSetting): string {
      switch (setting.kind) {
        case 'none':
          return words.noClocks;
        case 'fischer':
          return `${minutes(setting.base_ms)} min + ${seconds(setting.increment_ms)} s`;
        case 'delay':
          return words.delay(minutes(setting.base_ms), seconds(setting.delay_ms));
        case 'correspondence':
          return words.daysEach(setting.days, number(setting.days));
        default:
          // A time control of a later version.
          return '';
      }
    },
  };
}
