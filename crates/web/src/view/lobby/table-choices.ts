import {
  type Absence,
  type Admission,
  type BotChoice,
  type BotSeat,
  type Chat,
  type Color,
  type CreateTable,
  type DrawPolicy,
  type Privacy,
  type RatingRange,
  type Seating,
  type SeatView,
  type TimeSetting,
  type Variant,
  VARIANT_FACTS,
  type Watchers,
} from '../../protocol/generated.ts';
import { DEFAULT_VARIANT, VARIANTS } from '../../store/variants.ts';

/** The content of the dialog for a new table. */
export interface TableChoices {
  readonly variant: Variant;
  readonly privacy: Privacy;
  /**
   * The host's own seat: a color, a random color that is chosen when the table is created, or no
   * seat.
   */
  readonly seat: Color | 'random' | null;
  readonly clock: TimeSetting['kind'];
  readonly base_minutes: number;
  /** The increment or delay, in seconds. */
  readonly extra_seconds: number;
  /** The days for each turn in correspondence. */
  readonly days: number;
  /** The time limit for a move in a match without clocks, in minutes; 0 means no limit. */
  readonly limit_minutes: number;
  readonly seating: Seating;
  readonly draws: DrawPolicy;
  readonly absence: Absence;
  readonly watchers: Watchers;
  readonly chat: Chat;
  readonly admission: Admission;
  readonly hotseat: boolean;
  /** True if the host wants to hide the names of the players until the end, whether or not the variant allows it. */
  readonly anonymous: boolean;
  /** True if the host wants a rated table, whether or not the other choices allow it. */
  readonly rated: boolean;
  /** The lowest rating of the players at a rated table; `null` for no limit. */
  readonly min_rating: number | null;
  /** The highest rating of the players at a rated table; `null` for no limit. */
  readonly max_rating: number | null;
  readonly setup: string;
  /** The bots in the other seats; `null` for people. */
  readonly bots: BotChoice | null;
}

/** The default choices for a new table. */
export const DEFAULT_CHOICES: TableChoices = {
  variant: DEFAULT_VARIANT,
  privacy: 'public',
  seat: 'random',
  clock: 'none',
  base_minutes: 10,
  extra_seconds: 5,
  days: 3,
  limit_minutes: 5,
  seating: 'chosen',
  draws: 'claim',
  absence: 'eliminate',
  watchers: 'everybody',
  chat: 'on',
  admission: 'open',
  hotseat: false,
  anonymous: false,
  rated: false,
  min_rating: null,
  max_rating: null,
  setup: '',
  bots: null,
};

/** A common choice of clocks. */
export interface ClockPreset {
  readonly id: string;
  readonly clock: TimeSetting['kind'];
  readonly base_minutes: number;
  /** Seconds of increment or of delay. */
  readonly extra_seconds: number;
}

/** The clocks that most tables have, the quickest first. */
export const CLOCK_PRESETS: readonly ClockPreset[] = [
  { id: '1-15', clock: 'delay', base_minutes: 1, extra_seconds: 15 },
  { id: '5-5', clock: 'fischer', base_minutes: 5, extra_seconds: 5 },
  { id: '10-5', clock: 'fischer', base_minutes: 10, extra_seconds: 5 },
  { id: 'none', clock: 'none', base_minutes: 10, extra_seconds: 5 },
  { id: 'days', clock: 'correspondence', base_minutes: 10, extra_seconds: 5 },
];

/** Returns the preset with the clocks of these choices, or `null` if there is none. */
export function clockPresetOf({ clock, base_minutes, extra_seconds }: TableChoices): ClockPreset | null {
  const hasNumbers = clock === 'fischer' || clock === 'delay';
  const isSame = (preset: ClockPreset): boolean =>
    preset.clock === clock && (!hasNumbers || (preset.base_minutes === base_minutes && preset.extra_seconds === extra_seconds));
  return CLOCK_PRESETS.find(isSame) ?? null;
}

/** The defaults that depend on the privacy. */
const DEFAULTS_BY_PRIVACY = {
  public: { limit_minutes: 5, absence: 'eliminate', watchers: 'everybody', admission: 'open', hotseat: false },
  private: { limit_minutes: 0, absence: 'wait', watchers: 'link', admission: 'invite', hotseat: false },
} as const satisfies Record<Privacy, Partial<TableChoices>>;

/** The seats of an empty table by variant. */
export const EMPTY_SEATS: Readonly<Record<Variant, readonly SeatView[]>> = Object.fromEntries(
  VARIANTS.map((variant) => [
    variant,
    VARIANT_FACTS[variant].seats.map(({ color, side }): SeatView => ({ color, side, user: null })),
  ]),
) as Record<Variant, SeatView[]>;

/**
 * Returns the choices for another variant. If the variant does not have the chosen seat, its first
 * seat is chosen.
 */
export function withVariant(choices: TableChoices, variant: Variant): TableChoices {
  const seats = EMPTY_SEATS[variant];
  const hasChosenSeat = choices.seat === null || choices.seat === 'random' || seats.some((seat) => seat.color === choices.seat);
  return { ...choices, variant, seat: hasChosenSeat ? choices.seat : (seats[0]?.color ?? null) };
}

/** Returns the choices with another privacy and its defaults. */
export function withPrivacy(choices: TableChoices, privacy: Privacy): TableChoices {
  return privacy === choices.privacy ? choices : { ...choices, ...DEFAULTS_BY_PRIVACY[privacy], privacy };
}

/**
 * Returns the request for a table with these choices. A random seat is chosen now. `random` returns
 * a number from 0 to 1, excluding 1.
 */
export function createTableRequest(chosen: TableChoices, random: () => number = Math.random): CreateTable {
  const choices = { ...chosen, seat: drawSeat(chosen, random) };
  const setup = choices.setup.trim();
  const { variant, privacy, seat, draws, absence, watchers, chat, admission, rated, seating, hotseat } = choices;
  const limited = choices.clock === 'none' && choices.limit_minutes > 0;
  return {
    variant,
    privacy,
    ...(seat === null ? {} : { seat }),
    ...(setup === '' ? {} : { setup }),
    draws,
    time: timeSetting(choices),
    absence,
    watchers,
    chat,
    admission,
    rated,
    ...(hasRatingRange(chosen) ? { rating_range: ratingRange(chosen) } : {}),
    seating,
    ...(limited ? { move_limit_ms: choices.limit_minutes * 60_000 } : {}),
    hotseat,
    ...(choices.anonymous && mayHideNames(variant) ? { anonymous: true } : {}),
    ...(choices.bots === null ? {} : { bots: botSeats(choices, choices.bots) }),
  };
}

/** Returns whether the names of the players may be hidden: in matches of more than two. */
export function mayHideNames(variant: Variant): boolean {
  return EMPTY_SEATS[variant].length > 2;
}

/** Returns whether the choices allow limits of the ratings: the table is rated, and everybody may sit. */
export function mayLimitRatings({ rated, privacy, admission }: TableChoices): boolean {
  return rated && privacy === 'public' && admission === 'open';
}

function hasRatingRange(choices: TableChoices): boolean {
  return mayLimitRatings(choices) && (choices.min_rating !== null || choices.max_rating !== null);
}

function ratingRange({ min_rating, max_rating }: TableChoices): RatingRange {
  return { ...(min_rating === null ? {} : { min: min_rating }), ...(max_rating === null ? {} : { max: max_rating }) };
}

function drawSeat({ variant, seat }: TableChoices, random: () => number): Color | null {
  if (seat !== 'random') return seat;
  const seats = EMPTY_SEATS[variant];
  return seats[Math.floor(random() * seats.length)]?.color ?? null;
}

/** Choices whose seat is drawn. */
type SeatedChoices = Omit<TableChoices, 'seat'> & { readonly seat: Color | null };

/** Returns a bot for each seat except the user's own seat. */
function botSeats({ variant, seat }: SeatedChoices, bot: BotChoice): BotSeat[] {
  const others = EMPTY_SEATS[variant].filter(({ color }) => color !== seat);
  return others.map(({ color }) => ({ seat: color, bot }));
}

/** Returns the time control of a table with these choices. */
export function timeSetting({ clock, base_minutes, extra_seconds, days }: TableChoices): TimeSetting {
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
