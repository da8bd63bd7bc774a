import type { Color, EliminatedView, Entry, ReserveView, StateView } from '../protocol/generated.ts';
import { replay } from './replay.ts';
import type { TableState } from './table.ts';

const EMPTY: ReserveView = { rooks: 0, bishops: 0, knights: 0 };

/**
 * A table as it stood after its first `ply` moves, with what came of the last of them: who went out, but not the move after.
 * Nothing can be done there and no time runs. From the last move on it is the table as it is.
 */
export function stateAtPly(table: TableState, ply: number): TableState {
  const next = table.plies[Math.max(0, ply)];
  if (next === undefined) return table;
  const history = table.history.filter(({ seq }) => seq < next.seq);
  const { plies, pieces } = replay(table.start, history);
  const eliminated = eliminatedIn(history);
  const active_players = table.seats.map((seat) => seat.color).filter((color) => !eliminated.some((out) => out.color === color));
  const state: StateView = {
    phase: 'running',
    turn: next.color,
    active_players,
    eliminated,
    checks: [...checksAfter(history, plies.at(-1)?.checks ?? [])],
    can_claim_draw: false,
    ...reservesIn(table, history, active_players),
    ...clockIn(table, history),
  };
  return { ...table, seq: history.at(-1)?.seq ?? 0, history, plies, pieces, state, yours: [], you: null, legal: [] };
}

function eliminatedIn(history: readonly Entry[]): EliminatedView[] {
  return history.flatMap(({ event }) => (event.type === 'eliminated' ? [{ color: event.color, cause: event.cause }] : []));
}

/** The reserves of the players still in, in a game with reserves: the last published ones, or none. */
function reservesIn(table: TableState, history: readonly Entry[], active_players: readonly Color[]): Pick<StateView, 'reserves'> {
  if (table.state.reserves === undefined) return {};
  const published = Object.assign({}, ...history.map((entry) => entry.reserves)) as Partial<Record<Color, ReserveView>>;
  return { reserves: Object.fromEntries(active_players.map((color) => [color, published[color] ?? EMPTY])) };
}

/** The kings that stand attacked: who goes out takes its pieces along and may end a check or begin one. */
function checksAfter(history: readonly Entry[], afterPly: readonly Color[]): readonly Color[] {
  const last = history.findLast(({ event }) => event.type === 'moved' || event.type === 'eliminated' || event.type === 'taken_back');
  return last?.event.type === 'eliminated' ? (last.checks ?? []) : afterPly;
}

/** The time on each clock: its player's rest after the last move, or the initial time. */
function clockIn(table: TableState, history: readonly Entry[]): Pick<StateView, 'clock'> {
  const { time } = table.settings;
  if (table.state.clock === undefined || (time.kind !== 'fischer' && time.kind !== 'delay')) return {};
  const left_ms: Partial<Record<Color, number>> = {};
  for (const { color } of table.seats) left_ms[color] = time.base_ms;
  for (const { event } of history) {
    if (event.type === 'moved' && event.left_ms !== undefined) left_ms[event.color] = event.left_ms;
  }
  return { clock: { left_ms, delay_left_ms: 0 } };
}
