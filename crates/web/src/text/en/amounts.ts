import type { TimeSetting } from '../../protocol/generated.ts';

const places = ['', '1st', '2nd', '3rd', '4th'];

/** A final place. */
export function place(rank: number): string {
  return places[rank] ?? `${rank}th`;
}

/** `A`, `A and B`, `A, B and C`. */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

function minutes(ms: number): string {
  const whole = ms / 60_000;
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(1);
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
  return `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

/** How time runs at a table, in a few words. */
export function time(setting: TimeSetting): string {
  switch (setting.kind) {
    case 'none':
      return 'No clocks';
    case 'fischer':
      return `${minutes(setting.base_ms)} min + ${setting.increment_ms / 1_000} s`;
    case 'delay':
      return `${minutes(setting.base_ms)} min, ${setting.delay_ms / 1_000} s delay`;
    case 'correspondence':
      return setting.days === 1 ? '1 day a move' : `${setting.days} days a move`;
  }
}
