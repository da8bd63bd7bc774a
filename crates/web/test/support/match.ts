import type { FrameOf } from '../../src/protocol/frames.ts';
import type {
  Color,
  Entry,
  Event,
  Move,
  Piece,
  SeatView,
  Square,
  StatePatch,
  StateView,
  TableSettings,
  TableView,
  Variant,
} from '../../src/protocol/generated.ts';
import { mergePatch } from '../../src/store/merge-patch.ts';
import { boardOf, seats, startOf, user } from './boards.ts';

export const TABLE = '0192f0c1-2345-7000-8000-000000000001';
export const MATCH = '0192f0c1-2345-7000-8000-0000000000aa';

/** The secret of the lot. No client computes with it. */
export const SECRET = '0f'.repeat(32);

/** The default settings of a table in tests. */
export const SETTINGS: TableSettings = {
  variant: 'classic',
  privacy: 'public',
  time: { kind: 'none' },
  draws: 'claim',
  absence: 'eliminate',
  watchers: 'everybody',
  chat: 'on',
  admission: 'open',
  rated: false,
  seating: 'chosen',
  hotseat: false,
};

/** The settings of a private table. */
export const PRIVATE_SETTINGS: TableSettings = { ...SETTINGS, privacy: 'private', watchers: 'link', admission: 'invite' };

/** A step of a scripted match: its event and what the frame adds. */
export interface MatchStep {
  readonly event: Event;
  readonly notation?: string;
  readonly squares?: Record<Square, Piece | null>;
  readonly checks?: Color[];
  readonly reserves?: Entry['reserves'];
  /** The changes of the state. */
  readonly state?: StatePatch;
}

/** Returns the patch of a step to the state. */
function patchOf({ reserves, state }: { readonly [K in 'reserves' | 'state']?: MatchStep[K] | undefined }): StatePatch {
  return { ...(reserves === undefined ? {} : { reserves }), ...state };
}

/**
 * A match as a server publishes it, made step by step. It knows no rules; the test provides the
 * events.
 */
export class ScriptedMatch {
  readonly variant: Variant;
  readonly start: Record<Square, Piece>;
  pieces: Record<Square, Piece>;
  seats: SeatView[];
  state: StateView;
  history: Entry[] = [];
  view: Partial<TableView> = {};

  constructor(variant: Variant, held: Partial<Record<Color, string | null>>) {
    this.variant = variant;
    this.start = startOf(variant);
    this.pieces = { ...this.start };
    this.seats = seats(held);
    this.state = {
      phase: 'open',
      active_players: this.seats.map((seat) => seat.color),
      eliminated: [],
      checks: [],
      can_claim_draw: false,
    };
    const host = user('Ada');
    this.#take({ event: { type: 'opened', settings: { ...SETTINGS, variant }, host, commitment: SECRET } });
    for (const seat of this.seats) {
      if (seat.user !== null) this.#take({ event: { type: 'seated', color: seat.color, user: seat.user, nonce: 'n' } });
    }
  }

  get seq(): number {
    return this.history.length;
  }

  /** Starts the match. */
  startMatch(firstPlayer: Color): this {
    this.#take({ event: { type: 'started', first_player: firstPlayer, secret: SECRET }, state: { phase: 'running', turn: firstPlayer } });
    return this;
  }

  /** Makes a plain move: the piece goes to another square, and the next seat is to move. */
  move(mv: Move, more: Omit<MatchStep, 'event'> = {}): FrameOf<'event'> {
    const [, from = '', to = ''] = /^([a-n]\d+)([a-n]\d+)/.exec(mv) ?? [];
    const color = this.state.turn ?? 'red';
    return this.step({
      event: { type: 'moved', color, move: mv },
      notation: `${from}-${to}`,
      squares: { [from]: null, [to]: this.pieces[from] ?? null },
      ...more,
      state: { turn: this.#next(color), checks: more.checks ?? [], ...more.state },
    });
  }

  /** Adds any event and returns its frame. */
  step(step: MatchStep, legal?: Move[]): FrameOf<'event'> {
    const entry = this.#take(step);
    return { t: 'event', table: TABLE, match: MATCH, ...entry, state: patchOf(step), ...(legal === undefined ? {} : { legal_moves: legal }) };
  }

  /** Returns the snapshot for the holder of one or several seats, or for a spectator (`null`). */
  snapshot(yours: Color | readonly Color[] | null, legal?: Move[]): FrameOf<'snapshot'> {
    const view: TableView = {
      settings: { ...SETTINGS, variant: this.variant },
      host: user('Ada'),
      board: boardOf(this.variant),
      seats: this.seats,
      start: this.start,
      pieces: { ...this.pieces },
      history: [...this.history],
      state: this.state,
      players: this.seats.flatMap((seat) => (seat.user === null ? [] : [{ color: seat.color, presence: 'connected' as const }])),
      spectators: 0,
      your_seats: yours === null ? [] : typeof yours === 'string' ? [yours] : [...yours],
      ...this.view,
      ...(legal === undefined ? {} : { legal_moves: legal }),
    };
    return { t: 'snapshot', table: TABLE, match: MATCH, seq: this.seq, view };
  }

  #take({ event, notation, squares, checks, reserves, state }: MatchStep): Entry {
    const entry: Entry = {
      seq: this.seq + 1,
      at_ms: 1_700_000_000_000 + this.seq * 1_000,
      event,
      ...(notation === undefined ? {} : { notation }),
      ...(squares === undefined ? {} : { squares }),
      ...(checks === undefined ? {} : { checks }),
      ...(reserves === undefined ? {} : { reserves }),
    };
    this.history = [...this.history, entry];
    for (const [square, piece] of Object.entries(squares ?? {})) {
      if (piece === null) delete this.pieces[square];
      else this.pieces[square] = piece;
    }
    if (event.type === 'seated' || event.type === 'vacated') this.#seat(event);
    this.state = mergePatch(this.state, patchOf({ reserves, state })) as StateView;
    return entry;
  }

  #seat(event: Extract<Event, { type: 'seated' | 'vacated' }>): void {
    const holder = event.type === 'seated' ? event.user : null;
    this.seats = this.seats.map((seat) => (seat.color === event.color ? { ...seat, user: holder } : seat));
  }

  #next(color: Color): Color | null {
    const still = this.state.active_players;
    return still[(still.indexOf(color) + 1) % still.length] ?? null;
  }
}
