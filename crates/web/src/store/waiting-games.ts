import type { TableId, UserId } from '../protocol/generated.ts';
import type { OwnTables, OwnTableState } from './own-tables.ts';

/** The own tables of a user, in the groups in which they are listed. */
export interface OwnGames {
  /** The matches in which the user may move, the one with the least time left first. */
  readonly yourMove: readonly OwnTableState[];
  /** The other running matches of the user, newest first. */
  readonly theirMove: readonly OwnTableState[];
  /** The running matches that the user hosts without a seat, newest first. */
  readonly hosted: readonly OwnTableState[];
  /** The tables whose match has not started, newest first. */
  readonly open: readonly OwnTableState[];
}

/** The match that follows an open one among those in which the user may move. */
export interface NextGame {
  readonly table: OwnTableState;
  /** The place of the open match among those that wait, from 1; `null` if it does not wait. */
  readonly position: number | null;
  /** The number of matches that wait, with the open one if it waits. */
  readonly count: number;
}

/**
 * Returns the matches in which the user may move, the one with the least time left first. Matches
 * without a limit come last, the oldest of them first.
 */
export function waitingGames(tables: OwnTables): readonly OwnTableState[] {
  const waiting = (tables ?? []).filter(({ your_move }) => your_move);
  return waiting.toSorted((a, b) => urgency(a) - urgency(b) || a.created_at_ms - b.created_at_ms || (a.table < b.table ? -1 : 1));
}

/** Returns the own tables. The matches in which the user may move come first. */
export function waitingFirst(tables: readonly OwnTableState[]): readonly OwnTableState[] {
  const waiting = waitingGames(tables);
  return [...waiting, ...tables.filter((table) => !waiting.includes(table))];
}

/**
 * Returns the match to open after the present one. If the present one waits for the user too, it is
 * the one after it, so that each of them has its turn. Otherwise it is the most urgent one.
 */
export function nextGame(tables: OwnTables, open: TableId): NextGame | null {
  const waiting = waitingGames(tables);
  const index = waiting.findIndex(({ table }) => table === open);
  const table = waiting[(index + 1) % waiting.length];
  if (table === undefined || table.table === open) return null;
  return { table, position: index === -1 ? null : index + 1, count: waiting.length };
}

/** Returns the groups of the own tables of a user. */
export function ownGames(tables: OwnTables, user: UserId | null): OwnGames {
  const all = tables ?? [];
  const others = all.filter(({ phase, your_move }) => phase === 'running' && !your_move);
  // An own table has the user as its host or at a seat.
  const isSeated = ({ host, seats }: OwnTableState): boolean => host.id !== user || seats.some((seat) => seat.user !== null && seat.user.id === user);
  return {
    yourMove: waitingGames(tables),
    theirMove: others.filter(isSeated),
    hosted: others.filter((table) => !isSeated(table)),
    open: all.filter(({ phase }) => phase === 'open'),
  };
}

function urgency({ deadline_ms }: OwnTableState): number {
  return deadline_ms ?? Number.MAX_VALUE;
}
