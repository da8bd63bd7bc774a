import type { Color, EliminatedView, Entry, ReserveView, StateView } from '../protocol/generated.ts';
import { replay } from './replay.ts';
import type { TableState } from './table.ts';

const EMPTY_RESERVE: ReserveView = { rooks: 0, bishops: 0, knights: 0 };

/**
 * Returns a table as it was after its first `ply` moves, including eliminations by the last of
 * them. No moves are legal there and no clock runs. From the last move on, it returns the table
 * unchanged.
 */
export function stateAtPly(table: TableState, ply: number): TableState {
  const next = table.plies[Math.max(0, ply)];
  if (next === undefined) return table;
  return stateAfter(table, table.history.filter(({ seq }) => seq < next.seq), next.color);
}

/**
 * A match as it stood when it was decided: an ended one before the last players went out, whose pieces left the board
 * with them; any other as it is.
 */
export function decisiveState(table: TableState): TableState {
  if (table.state.phase !== 'ended') return table;
  const last = table.history.findLastIndex(({ event }) => !ENDINGS.has(event.type));
  return stateAfter(table, table.history.slice(0, last + 1));
}

/** Events that may follow the last move of a match. */
const ENDINGS: ReadonlySet<string> = new Set(['eliminated', 'ended', 'aborted']);

/** The table after the first entries of its history, and the color to move then. */
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
