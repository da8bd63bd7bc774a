import type { Color, EliminatedView, Entry, ReserveView, StateView } from '../protocol/generated.ts';
import { replay } from './replay.ts';
import type { TableState } from './table.ts';

const EMPTY_RESERVE: ReserveView = { rooks: 0, bishops: 0, knights: 0 };

/**
 * Returns the state of a table after its first `ply` moves and the eliminations that followed the
 * last of them. In this state no move is legal and no clock runs. If `ply` is the number of all
 * moves or greater, returns the table unchanged.
 */
export function stateAtPly(table: TableState, ply: number): TableState {
  const next = table.plies[Math.max(0, ply)];
  if (next === undefined) return table;
  return stateAfter(table, table.history.filter(({ seq }) => seq < next.seq), next.color);
}

/**
 * Returns a match as it was when it was decided. For a match that has ended, this is the state
 * before the eliminations that ended it, because the pieces of eliminated players leave the board.
 * A match that has not ended is returned unchanged.
 */
export function decisiveState(table: TableState): TableState {
  if (table.state.phase !== 'ended') return table;
  const last = table.history.findLastIndex(({ event }) => !ENDINGS.has(event.type));
  return stateAfter(table, table.history.slice(0, last + 1));
}

/** Events that may follow the last move of a match. */
const ENDINGS: ReadonlySet<string> = new Set(['eliminated', 'ended', 'aborted']);

/** Returns the table after the given entries of its history, with `turn` as the color to move. */
function stateAfter(table: TableState, history: readonly Entry[], turn?: Color): TableState {
  const { plies, pieces } = replay(table.start, history);
  const eliminated = eliminationsIn(history);
  const active_players = table.seats.map((seat) => seat.color).filter((color) => !eliminated.some((out) => out.color === color));
  const state: StateView = {
    phase: 'running',
    ...(turn === undefined ? {} : { turn }),
    active_players,
    eliminated,
    checks: [...checksAfter(history, plies.at(-1)?.checks ?? [])],
    can_claim_draw: false,
    ...reservesAfter(table, history, active_players),
    ...clockAfter(table, history),
  };
  return { ...table, seq: history.at(-1)?.seq ?? 0, history, plies, pieces, state, ownSeats: [], viewerSeat: null, legalMoves: [], hints: {} };
}

function eliminationsIn(history: readonly Entry[]): EliminatedView[] {
  return history.flatMap(({ event }) => (event.type === 'eliminated' ? [{ color: event.color, cause: event.cause }] : []));
}

/** Returns the last published reserves of the remaining players, in a game with reserves. */
function reservesAfter(table: TableState, history: readonly Entry[], active_players: readonly Color[]): Pick<StateView, 'reserves'> {
  if (table.state.reserves === undefined) return {};
  const published = Object.assign({}, ...history.map((entry) => entry.reserves)) as Partial<Record<Color, ReserveView>>;
  return { reserves: Object.fromEntries(active_players.map((color) => [color, published[color] ?? EMPTY_RESERVE])) };
}

/**
 * Returns the colors in check. An elimination removes pieces, so it can end a check or give one.
 */
function checksAfter(history: readonly Entry[], afterPly: readonly Color[]): readonly Color[] {
  const last = history.findLast(({ event }) => event.type === 'moved' || event.type === 'eliminated' || event.type === 'taken_back');
  return last?.event.type === 'eliminated' ? (last.checks ?? []) : afterPly;
}

/** Returns the clocks: the time left after each player's last move, or the initial time. */
function clockAfter(table: TableState, history: readonly Entry[]): Pick<StateView, 'clock'> {
  const { time } = table.settings;
  if (table.state.clock === undefined || (time.kind !== 'fischer' && time.kind !== 'delay')) return {};
  const left_ms: Partial<Record<Color, number>> = {};
  for (const { color } of table.seats) left_ms[color] = time.base_ms;
  for (const { event } of history) {
    if (event.type === 'moved' && event.left_ms !== undefined) left_ms[event.color] = event.left_ms;
  }
  return { clock: { left_ms, delay_left_ms: 0 } };
}
