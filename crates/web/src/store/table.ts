import { entryOf, type FrameOf, type TableFrame } from '../protocol/frames.ts';
import type {
  BoardView,
  Color,
  Entry,
  Event,
  MatchId,
  Move,
  SeatView,
  StateView,
  TableId,
  PlayerView,
  TableSettings,
  UserId,
  UserView,
} from '../protocol/generated.ts';
import { mergePatch } from './merge-patch.ts';
import { withChanges, type Pieces } from './pieces.ts';
import { pliesAfter, replay, type Ply } from './replay.ts';

/** All that is known of a table, as of event `seq`. */
export interface TableState {
  readonly table: TableId;
  readonly match: MatchId;
  readonly seq: number;
  readonly settings: TableSettings;
  readonly host: UserView;
  readonly board: BoardView;
  /** In turn order. */
  readonly seats: readonly SeatView[];
  readonly start: Pieces;
  readonly pieces: Pieces;
  readonly history: readonly Entry[];
  /** The moves that were made and not taken back. */
  readonly plies: readonly Ply[];
  readonly state: StateView;
  /** Local time (`performance.now()`) at which `state`, and with it the clocks, arrived. */
  readonly arrived_ms: number;
  /** The seats the viewer holds: one at most, except at a hotseat table. */
  readonly yours: readonly Color[];
  /** The seat the viewer acts for: of those still in, the one that is to move, or is so next. */
  readonly you: Color | null;
  /** The legal moves; empty on another player's turn. */
  readonly legal: readonly Move[];
  /** Set if there are messages that the viewer may not read yet. */
  readonly skipped: boolean;
  /** The presence of the seated users. */
  readonly players: readonly PlayerView[];
  /** Local time at which `players` arrived. */
  readonly players_arrived_ms: number;
  readonly spectators: number;
}

/** The context of a fold beside the frame. */
export interface FoldContext {
  /** The viewer of the table. */
  readonly viewer: UserId | null;
  /** Local time, as `performance.now()` gives it. */
  readonly now_ms: number;
}

/**
 * The effect of a frame on the state. `old` brought nothing new; `gap` could not be taken in because events before it
 * are missing: the state is as it was.
 */
export type FoldResult =
  | { readonly kind: 'changed'; readonly state: TableState }
  | { readonly kind: 'old' }
  | { readonly kind: 'gap' };

const OLD: FoldResult = { kind: 'old' };
const GAP: FoldResult = { kind: 'gap' };

/** Folds one frame into a table's state. Changes nothing in what it is given. */
export function foldTable(state: TableState | null, frame: TableFrame, context: FoldContext): FoldResult {
  switch (frame.t) {
    case 'snapshot':
      return foldSnapshot(state, frame, context);
    case 'event':
      return foldEvent(state, frame, context);
    case 'skip':
      return foldSkip(state, frame);
    case 'presence':
      if (state === null) return OLD;
      return {
        kind: 'changed',
        state: { ...state, players: frame.players, players_arrived_ms: context.now_ms, spectators: frame.spectators },
      };
  }
}

function foldSnapshot(before: TableState | null, frame: FrameOf<'snapshot'>, context: FoldContext): FoldResult {
  if (before !== null && before.match === frame.match && before.seq > frame.seq) return OLD;
  const { view } = frame;
  const { your_seats: yours } = view;
  return {
    kind: 'changed',
    state: {
      table: frame.table,
      match: frame.match,
      seq: frame.seq,
      settings: view.settings,
      host: view.host,
      board: view.board,
      seats: view.seats,
      start: view.start,
      pieces: view.pieces,
      history: view.history,
      skipped: false,
      plies: replay(view.start, view.history).plies,
      state: view.state,
      arrived_ms: context.now_ms,
      yours,
      you: actingSeat(yours, view.seats, view.state),
      legal: view.legal_moves ?? [],
      players: view.players,
      players_arrived_ms: context.now_ms,
      spectators: view.spectators,
    },
  };
}

function foldEvent(state: TableState | null, frame: FrameOf<'event'>, context: FoldContext): FoldResult {
  if (state === null || frame.match !== state.match) return GAP;
  if (frame.seq <= state.seq) return OLD;
  if (frame.seq > state.seq + 1) return GAP;
  const entry = entryOf(frame);
  const seats = seatsAfter(state.seats, entry.event);
  const yours = seats === state.seats ? state.yours : seatsOf(seats, context.viewer);
  const after = mergePatch(state.state, frame.state) as StateView;
  return {
    kind: 'changed',
    state: {
      ...state,
      seq: frame.seq,
      seats,
      host: entry.event.type === 'host_changed' ? entry.event.host : state.host,
      yours,
      you: actingSeat(yours, seats, after),
      pieces: withChanges(state.pieces, entry.squares),
      history: [...state.history, entry],
      plies: pliesAfter(state.plies, entry, state.pieces),
      state: after,
      arrived_ms: context.now_ms,
      legal: frame.legal_moves ?? [],
    },
  };
}

/** An event that is not for this viewer changes nothing but the number. */
function foldSkip(state: TableState | null, frame: FrameOf<'skip'>): FoldResult {
  if (state === null || frame.match !== state.match) return GAP;
  if (frame.seq <= state.seq) return OLD;
  return frame.seq > state.seq + 1 ? GAP : { kind: 'changed', state: { ...state, seq: frame.seq, skipped: true } };
}

function seatsAfter(seats: readonly SeatView[], event: Event): readonly SeatView[] {
  if (event.type === 'started' && event.seats !== undefined) {
    const drawn = event.seats;
    return seats.map((seat) => ({ ...seat, user: drawn[seat.color] ?? seat.user }));
  }
  if (event.type === 'substituted' || event.type === 'returned') {
    const { color } = event;
    const standIn = event.type === 'substituted' ? { substitute: event.bot } : {};
    return seats.map((seat) => {
      if (seat.color !== color) return seat;
      const { substitute: _before, ...own } = seat;
      return { ...own, ...standIn };
    });
  }
  if (event.type !== 'seated' && event.type !== 'vacated') return seats;
  const user = event.type === 'seated' ? event.user : null;
  return seats.map((seat) => (seat.color === event.color ? { ...seat, user } : seat));
}

function seatsOf(seats: readonly SeatView[], viewer: UserId | null): Color[] {
  return viewer === null ? [] : seats.filter((seat) => seat.user?.id === viewer).map((seat) => seat.color);
}

function actingSeat(yours: readonly Color[], seats: readonly SeatView[], state: StateView): Color | null {
  const order = seats.map((seat) => seat.color);
  const from = Math.max(0, state.turn === undefined ? 0 : order.indexOf(state.turn));
  const held = [...order.slice(from), ...order.slice(0, from)].filter((color) => yours.includes(color));
  return held.find((color) => state.active_players.includes(color)) ?? held[0] ?? null;
}

/** The last move of each color still in, oldest first. */
export function lastPlies(state: TableState): Ply[] {
  const last = new Map<Color, Ply>();
  for (const ply of state.plies) last.set(ply.color, ply);
  return [...last.values()].filter((ply) => isIn(state, ply.color)).toSorted((a, b) => a.seq - b.seq);
}

/** Returns whether a color is still in the match. Before the start everybody is. */
export function isIn(state: TableState, color: Color): boolean {
  return state.state.phase === 'open' || !state.state.eliminated.some((out) => out.color === color);
}

/** Returns whether a color has a move that could be taken back: not one before the last elimination. */
export function hasMoveToTakeBack(state: TableState, color: Color): boolean {
  const reach = state.history.findLast(({ event }) => event.type === 'eliminated')?.seq ?? 0;
  return state.plies.some((ply) => ply.color === color && ply.seq > reach);
}

/** Time left on a color's clock at a local time, milliseconds; `null` without clocks. */
export function left_ms(state: TableState, color: Color, now_ms: number): number | null {
  const clock = state.state.clock;
  const left = clock?.left_ms[color];
  if (clock === undefined || left === undefined) return null;
  if (clock.running !== color) return left;
  const spent = Math.max(0, now_ms - state.arrived_ms - clock.delay_left_ms);
  return Math.max(0, left - spent);
}
