import type { LobbyFrame } from '../protocol/frames.ts';
import type { TableId, TableSummary, UserId } from '../protocol/generated.ts';

/** The public tables, newest first; `null` until the server has told. */
export type LobbyState = readonly TableSummary[] | null;

/** Folds one frame into the list. Changes nothing in what it is given. */
export function foldLobby(lobby: LobbyState, frame: LobbyFrame): LobbyState {
  switch (frame.t) {
    case 'lobby':
      return frame.tables.toSorted(newestFirst);
    case 'lobby_table':
      return [...without(lobby, frame.table.table), frame.table].toSorted(newestFirst);
    case 'lobby_gone':
      return without(lobby, frame.table);
  }
}

function without(lobby: LobbyState, table: TableId): TableSummary[] {
  return (lobby ?? []).filter((summary) => summary.table !== table);
}

function newestFirst(a: TableSummary, b: TableSummary): number {
  return b.created_at_ms - a.created_at_ms || (a.table < b.table ? 1 : -1);
}

/** The lobby as one user sees it. */
export interface LobbyLists {
  readonly yours: readonly TableSummary[];
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
}

/** Parts the tables: one's own (public or not) first, the others by phase. */
export function partLobby(lobby: LobbyState, own: readonly TableSummary[], user: UserId | null): LobbyLists {
  const live = lobby ?? [];
  const isLive = new Set(live.map((summary) => summary.table));
  const yours = live.filter((summary) => belongsTo(summary, user));
  const quiet = own.filter((summary) => !isLive.has(summary.table) && summary.settings.privacy === 'private');
  const others = live.filter((summary) => !yours.includes(summary));
  return {
    yours: [...yours, ...quiet].toSorted(newestFirst),
    open: others.filter((summary) => summary.phase === 'open'),
    running: others.filter((summary) => summary.phase === 'running'),
  };
}

/** Whether a seat of this user is to move. */
export function isTurnOf(user: UserId | null, { turn, seats }: TableSummary): boolean {
  return user !== null && seats.some((seat) => seat.color === turn && seat.user?.id === user);
}

/** One's own tables, those where it is one's turn before the others. */
export function yourTurnFirst(yours: readonly TableSummary[], user: UserId | null): TableSummary[] {
  return yours.toSorted((a, b) => Number(isTurnOf(user, b)) - Number(isTurnOf(user, a)));
}

function belongsTo(summary: TableSummary, user: UserId | null): boolean {
  return user !== null && (summary.host.id === user || summary.seats.some((seat) => seat.user?.id === user));
}
