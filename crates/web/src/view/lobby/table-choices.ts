import type { Color, CreateTable, DrawPolicy, Privacy, SeatView, TimeSetting, Variant } from '../../protocol/generated.ts';

/** What the dialog for a new table holds. */
export interface TableChoices {
  readonly variant: Variant;
  readonly privacy: Privacy;
  readonly seat: Color | null;
  readonly clock: TimeSetting['kind'];
  readonly base_minutes: number;
  /** Seconds of increment or of delay. */
  readonly extra_seconds: number;
  readonly draws: DrawPolicy;
  readonly setup: string;
}

/** What a new table is if nothing is changed. */
export const USUAL: TableChoices = {
  variant: 'dilkel',
  privacy: 'public',
  seat: 'red',
  clock: 'none',
  base_minutes: 10,
  extra_seconds: 5,
  draws: 'claim',
  setup: '',
};

/** The seats of each variant, as an empty table has them; the pictures in the dialog are made from them. */
export const EMPTY_SEATS: Record<Variant, readonly SeatView[]> = {
  classic: [
    { color: 'white', side: 'south', user: null },
    { color: 'black', side: 'north', user: null },
  ],
  dilkel: crossSeats(),
  'dilkel-compact': crossSeats(),
};

function crossSeats(): SeatView[] {
  return [
    { color: 'red', side: 'south', user: null },
    { color: 'blue', side: 'west', user: null },
    { color: 'yellow', side: 'north', user: null },
    { color: 'green', side: 'east', user: null },
  ];
}

/** The same choices for another variant: a seat it does not have becomes its first one. */
export function withVariant(choices: TableChoices, variant: Variant): TableChoices {
  const seats = EMPTY_SEATS[variant];
  const kept = choices.seat === null || seats.some((seat) => seat.color === choices.seat);
  return { ...choices, variant, seat: kept ? choices.seat : (seats[0]?.color ?? null) };
}

/** The request the choices stand for. */
export function requestOf(choices: TableChoices): CreateTable {
  const setup = choices.setup.trim();
  return {
    variant: choices.variant,
    privacy: choices.privacy,
    ...(choices.seat === null ? {} : { seat: choices.seat }),
    ...(setup === '' ? {} : { setup }),
    draws: choices.draws,
    time: timeOf(choices),
  };
}

function timeOf({ clock, base_minutes, extra_seconds }: TableChoices): TimeSetting {
  const base_ms = Math.round(base_minutes * 60_000);
  const extra_ms = Math.round(extra_seconds * 1_000);
  switch (clock) {
    case 'none':
      return { kind: 'none' };
    case 'fischer':
      return { kind: 'fischer', base_ms, increment_ms: extra_ms };
    case 'delay':
      return { kind: 'delay', base_ms, delay_ms: extra_ms };
  }
}
