import type {
  Absence,
  Admission,
  BotChoice,
  BotSeat,
  Chat,
  Color,
  CreateTable,
  DrawPolicy,
  Privacy,
  Seating,
  SeatView,
  TimeSetting,
  Variant,
  Watchers,
} from '../../protocol/generated.ts';

/** Content of the dialog for a new table. */
export interface TableChoices {
  readonly variant: Variant;
  readonly privacy: Privacy;
  readonly seat: Color | null;
  readonly clock: TimeSetting['kind'];
  readonly base_minutes: number;
  /** Seconds of increment or of delay. */
  readonly extra_seconds: number;
  /** Days for each turn in correspondence. */
  readonly days: number;
  /** Minutes a move may take where there are no clocks; 0 for as long as one likes. */
  readonly limit_minutes: number;
  readonly rated: boolean;
  readonly seating: Seating;
  readonly draws: DrawPolicy;
  readonly absence: Absence;
  readonly watchers: Watchers;
  readonly chat: Chat;
  readonly admission: Admission;
  readonly hotseat: boolean;
  readonly setup: string;
  /** The bots in the other seats; `null` for people. */
  readonly bots: BotChoice | null;
}

/** The default choices for a new table. */
export const USUAL: TableChoices = {
  variant: 'dilkel',
  privacy: 'public',
  seat: 'red',
  clock: 'none',
  base_minutes: 10,
  extra_seconds: 5,
  days: 3,
  limit_minutes: 5,
  rated: false,
  seating: 'chosen',
  draws: 'claim',
  absence: 'eliminate',
  watchers: 'everybody',
  chat: 'on',
  admission: 'open',
  hotseat: false,
  setup: '',
  bots: null,
};

/** Defaults by privacy. */
const BY_PRIVACY = {
  public: { limit_minutes: 5, absence: 'eliminate', watchers: 'everybody', admission: 'open', hotseat: false },
  private: { limit_minutes: 0, absence: 'wait', watchers: 'link', admission: 'invite', hotseat: false },
} as const satisfies Record<Privacy, Partial<TableChoices>>;

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

/** The same choices for other people: what depends on who may join becomes what is usual there. */
export function withPrivacy(choices: TableChoices, privacy: Privacy): TableChoices {
  return privacy === choices.privacy ? choices : { ...choices, ...BY_PRIVACY[privacy], privacy };
}

/** The same choices, counting for ratings or not: what only a casual table may have becomes what a rated one has. */
export function withRated(choices: TableChoices, rated: boolean): TableChoices {
  if (!rated) return { ...choices, rated };
  return { ...choices, rated, absence: 'eliminate', hotseat: false, bots: null };
}

/** The request the choices stand for. */
export function requestOf(choices: TableChoices): CreateTable {
  const setup = choices.setup.trim();
  const { variant, privacy, seat, draws, absence, watchers, chat, admission, rated, seating, hotseat } = choices;
  const limited = choices.clock === 'none' && choices.limit_minutes > 0;
  return {
    variant,
    privacy,
    ...(seat === null ? {} : { seat }),
    ...(setup === '' ? {} : { setup }),
    draws,
    time: timeOf(choices),
    absence,
    watchers,
    chat,
    admission,
    rated,
    seating,
    ...(limited ? { move_limit_ms: choices.limit_minutes * 60_000 } : {}),
    hotseat,
    ...(choices.bots === null ? {} : { bots: botsOf(choices, choices.bots) }),
  };
}

/** Such a bot for each seat but one's own. */
function botsOf({ variant, seat }: TableChoices, bot: BotChoice): BotSeat[] {
  const others = EMPTY_SEATS[variant].filter(({ color }) => color !== seat);
  return others.map(({ color }) => ({ seat: color, bot }));
}

function timeOf({ clock, base_minutes, extra_seconds, days }: TableChoices): TimeSetting {
  const base_ms = Math.round(base_minutes * 60_000);
  const extra_ms = Math.round(extra_seconds * 1_000);
  switch (clock) {
    case 'none':
      return { kind: 'none' };
    case 'fischer':
      return { kind: 'fischer', base_ms, increment_ms: extra_ms };
    case 'delay':
      return { kind: 'delay', base_ms, delay_ms: extra_ms };
    case 'correspondence':
      return { kind: 'correspondence', days };
  }
}
