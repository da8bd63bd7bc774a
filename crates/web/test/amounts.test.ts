import { describe, expect, it } from 'vitest';
import { dayAndMonth as dayAndMonthDe, left as leftDe } from '../src/text/de/amounts.ts';
import { ago, dayAndMonth, left, remaining } from '../src/text/en/amounts.ts';
import { dayAndMonth as dayAndMonthEs } from '../src/text/es/amounts.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('a time left', () => {
  it('is rounded to the largest unit of which there are at least two', () => {
    expect([7 * DAY - 1_234, 36 * HOUR, DAY, 90 * MINUTE, 90_400, 400].map(left)).toEqual([
      '7 days',
      '2 days',
      '24 h',
      '2 h',
      '2 min',
      '0 s',
    ]);
    expect(leftDe(3 * DAY)).toBe('3 Tage');
  });
});

describe('the time until a deadline', () => {
  it('is rounded down to the largest unit of which there are at least two', () => {
    expect([7 * DAY - 1_234, 2 * DAY, 2 * DAY - 1, 36 * HOUR, 90_400, 400].map(remaining)).toEqual(['6 days', '2 days', '47 h', '36 h', '90 s', '0 s']);
  });
});

describe('a past time', () => {
  it('is as exact as it is known', () => {
    expect([59 * MINUTE, HOUR, 5.9 * HOUR, DAY, 40 * DAY].map(ago)).toEqual(['within the last hour', '1 hour ago', '5 hours ago', 'yesterday', '40 days ago']);
  });
});

describe('a day without its year', () => {
  it('is as short as readers of the language understand it', () => {
    const noon = Date.UTC(2026, 8, 28, 12);
    expect(dayAndMonthDe(noon)).toBe('28.9.');
    expect(dayAndMonthEs(noon)).toBe('28/9');
    expect(dayAndMonth(noon)).toContain('Sep');
  });
});
