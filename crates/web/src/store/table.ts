import { entryOf, type FrameOf, type TableFrame } from '../protocol/frames.ts';
import type {
  BoardView,
  Color,
  Entry,
  Event,
  LinkVisitor,
  MatchId,
  Move,
  SeatView,
  StateView,
  TableId,
  PlayerView,
  TableSettings,
  TurnHints,
  UserId,
  UserView,
} from '../protocol/generated.ts';
import { mergePatch } from './merge-patch.ts';
import { withChanges, type Pieces } from './pieces.ts';
import { pliesAfter, replay, type Ply } from './replay.ts';

/** The visible state of a table after event `seq`. */
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
  /**
   * The local time (`performance.now()`) at which `state` arrived. The clocks in `state` count down
   * from this time.
   */
  readonly arrived_ms: number;
  /** The viewer's seats: at most one, except at a hotseat table. */
  readonly ownSeats: readonly Color[];
  /** The seat that the viewer acts for: the seat of `ownSeats` that is to move, or will move first. */
  readonly viewerSeat: Color | null;
  /** The legal moves. There are none on another player's turn. */
  readonly legalMoves: readonly Move[];
  /** Facts that explain the rules on the viewer's turn; empty on another player's turn. */
  readonly hints: TurnHints;
  /** Set if some events were withheld from the viewer, such as the spectators' chat. */
  readonly hasSkippedEvents: boolean;
  /** The presence of the seated users. */
  readonly players: readonly PlayerView[];
  /** The local time at which `players` arrived. */
  readonly players_arrived_ms: number;
  readonly spectators: number;
  /** For the host: the users who have opened the table by a link, the latest last. */
  readonly linkVisitors: readonly LinkVisitor[];
  /** Set if the host has kicked the viewer. */
  readonly isKicked: boolean;
}

/** A moment of a match, for a report about a user. */
export interface Moment {
  readonly match: MatchId;
  /** The number of the last event. */
  readonly at: number;
  /** The number of the event with the chat message that the report is about. */
  readonly message?: number;
}

/** The data that folding a frame into the state needs in addition to the frame. */
export interface FoldContext {
  /** The viewer of the table. */
  readonly viewer: UserId | null;
  /** The local time, from `performance.now()`. */
  readonly now_ms: number;
}

/**
 * The effect of a frame on the state. An `old` frame contains nothing new. A `gap` means that
 * events before the frame are missing. In both cases the state stays unchanged.
 */
export type FoldResult =
  | { readonly kind: 'changed'; readonly state: TableState }
  | { readonly kind: 'old' }
  | { readonly kind: 'gap' };

const OLD_FRAME: FoldResult = { kind: 'old' };
const GAP_BEFORE_FRAME: FoldResult = { kind: 'gap' };

/** Returns a table's state after a frame. The given state is not changed. */
export function foldTable(state: TableState | null, frame: TableFrame, context: FoldContext): FoldResult {
  switch (frame.t) {
    case 'snapshot':
      return foldSnapshot(state, frame, context);
    case 'event':
      return foldEvent(state, frame, context);
    case 'skip':
      return foldSkip(state, frame);
    case 'presence':
      if (state === null) return OLD_FRAME;
      return {
        kind: 'changed',
        state: {
          ...state,
          players: frame.players,
          players_arrived_ms: context.now_ms,
          spectators: frame.spectators,
          linkVisitors: frame.link_visitors ?? [],
        },
      };
  }
}

function foldSnapshot(before: TableState | null, frame: FrameOf<'snapshot'>, context: FoldContext): FoldResult {
  if (before !== null && before.match === frame.match && before.seq > frame.seq) return OLD_FRAME;
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
      hasSkippedEvents: false,
      plies: replay(view.start, view.history).plies,
      state: view.state,
      arrived_ms: context.now_ms,
      ownSeats: yours,
      viewerSeat: viewerSeat(yours, view.seats, view.state),
      legalMoves: view.legal_moves ?? [],
      hints: view.hints ?? {},
      players: view.players,
      players_arrived_ms: context.now_ms,
      spectators: view.spectators,
      linkVisitors: view.link_visitors ?? [],
      isKicked: view.kicked === true,
    },
  };
}

function foldEvent(state: TableState | null, frame: FrameOf<'event'>, context: FoldContext): FoldResult {
  if (state === null || frame.match !== state.match) return GAP_BEFORE_FRAME;
  if (frame.seq <= state.seq) return OLD_FRAME;
  if (frame.seq > state.seq + 1) return GAP_BEFORE_FRAME;
  const entry = entryOf(frame);
  const seats = seatsAfter(state.seats, entry.event);
  const yours = seats === state.seats ? state.ownSeats : seatsOfUser(seats, context.viewer);
  const after = mergePatch(state.state, frame.state) as StateView;
  return {
    kind: 'changed',
    state: {
      ...state,
      seq: frame.seq,
      seats,
      host: entry.event.type === 'host_changed' ? entry.event.host : state.host,
      ownSeats: yours,
      isKicked: state.isKicked || isKickOf(state, entry.event, context.viewer),
      viewerSeat: viewerSeat(yours, seats, after),
      pieces: withChanges(state.pieces, entry.squares),
      history: [...state.history, entry],
      plies: pliesAfter(state.plies, entry, state.pieces),
      state: after,
      arrived_ms: context.now_ms,
      legalMoves: frame.legal_moves ?? [],
      hints: frame.hints ?? {},
    },
  };
}

/** Skips an event that this viewer may not read. Only the number of the last event changes. */
function foldSkip(state: TableState | null, frame: FrameOf<'skip'>): FoldResult {
  if (state === null || frame.match !== state.match) return GAP_BEFORE_FRAME;
  if (frame.seq <= state.seq) return OLD_FRAME;
  return frame.seq > state.seq + 1 ? GAP_BEFORE_FRAME : { kind: 'changed', state: { ...state, seq: frame.seq, hasSkippedEvents: true } };
}

function seatsAfter(seats: readonly SeatView[], event: Event): readonly SeatView[] {
  if (event.type === 'started' && event.seats !== undefined) {
    const drawnSeats = event.seats;
    return seats.map((seat) => ({ ...seat, user: drawnSeats[seat.color] ?? seat.user }));
  }
  if (event.type === 'substituted' || event.type === 'returned') {
    const { color } = event;
    const substituteField = event.type === 'substituted' ? { substitute: event.bot } : {};
    return seats.map((seat) => {
      if (seat.color !== color) return seat;
      const { substitute: _before, ...own } = seat;
      return { ...own, ...substituteField };
    });
  }
  if (event.type !== 'seated' && event.type !== 'vacated') return seats;
  const user = event.type === 'seated' ? event.user : null;
  return seats.map((seat) => (seat.color === event.color ? { ...seat, user } : seat));
}

/** Returns whether an event kicks the viewer. */
function isKickOf({ seats }: TableState, event: Event, viewer: UserId | null): boolean {
  return event.type === 'vacated' && event.reason === 'kicked' && seatsOfUser(seats, viewer).includes(event.color);
}

function seatsOfUser(seats: readonly SeatView[], viewer: UserId | null): Color[] {
  return viewer === null ? [] : seats.filter((seat) => seat.user?.id === viewer).map((seat) => seat.color);
}

function viewerSeat(yours: readonly Color[], seats: readonly SeatView[], state: StateView): Color | null {
  const order = seats.map((seat) => seat.color);
  const from = Math.max(0, state.turn === undefined ? 0 : order.indexOf(state.turn));
  const ownSeats = [...order.slice(from), ...order.slice(0, from)].filter((color) => yours.includes(color));
  return ownSeats.find((color) => state.active_players.includes(color)) ?? ownSeats[0] ?? null;
}

/** Returns the seats that nobody holds. */
export function freeSeats(state: TableState): readonly SeatView[] {
  return state.seats.filter((seat) => seat.user === null);
}

/** Returns the last move of each color that is not eliminated, oldest first. */
export function lastPlies(state: TableState): Ply[] {
  const last = new Map<Color, Ply>();
  for (const ply of state.plies) last.set(ply.color, ply);
  return [...last.values()].filter((ply) => isActive(state, ply.color)).toSorted((a, b) => a.seq - b.seq);
}

/** Returns whether a color is not eliminated. Before the start no color is eliminated. */
export function isActive(state: TableState, color: Color): boolean {
  return state.state.phase === 'open' || !state.state.eliminated.some((out) => out.color === color);
}

/** Returns whether the user holds a seat and waits for the start of the match. */
export function isWaiting({ state, ownSeats }: TableState): boolean {
  return state.phase === 'open' && state.closed !== true && ownSeats.length > 0;
}

/**
 * Returns whether a color has a move that can be taken back. Moves before the last elimination
 * cannot be taken back.
 */
export function canTakeBack(state: TableState, color: Color): boolean {
  const lastEliminationSeq = state.history.findLast(({ event }) => event.type === 'eliminated')?.seq ?? 0;
  return state.plies.some((ply) => ply.color === color && ply.seq > lastEliminationSeq);
}

/**
 * Returns the time left on a color's clock at a local time in milliseconds, or `null` without
 * clocks.
 */
export function clockLeft_ms(state: TableState, color: Color, now_ms: number): number | null {
  const clock = state.state.clock;
  const left = clock?.left_ms[color];
  if (clock === undefined || left === undefined) return null;
  if (clock.running !== color) return left;
  const spent = Math.max(0, now_ms - state.arrived_ms - clock.delay_left_ms);
  return Math.max(0, left - spent);
}

/** Returns the moment that the table shows. */
export function momentOf({ match, seq }: TableState): Moment {
  return { match, at: seq };
}
