import type { LobbyFrame } from '../protocol/frames.ts';
import type { LobbyCounts, TableId, TableStatus, TableSummary, UserId } from '../protocol/generated.ts';

/** The window of the public tables that the server shows. */
export interface LobbyWindow {
  /** Open ones, newest first, and then those that are played, the most watched first. */
  readonly tables: readonly TableSummary[];
  /** The total numbers. */
  readonly counts: LobbyCounts;
}

/** The lobby; `null` until the server has sent it. */
export type LobbyState = LobbyWindow | null;

const NONE: LobbyWindow = { tables: [], counts: { open: 0, running: 0, players: 0 } };

/** Folds one frame into the window. Changes nothing in what it is given. */
export function foldLobby(lobby: LobbyState, frame: LobbyFrame): LobbyState {
  const { tables, counts } = lobby ?? NONE;
  switch (frame.t) {
    case 'lobby':
      return { tables: frame.tables.toSorted(inOrder), counts: frame.counts };
    case 'lobby_table':
      return { tables: [...without(tables, frame.table.table), frame.table].toSorted(inOrder), counts };
    case 'lobby_removed':
      return { tables: without(tables, frame.table), counts };
    case 'lobby_preview': {
      const now = new Map(frame.tables.map((status) => [status.table, status]));
      return { tables: tables.map((summary) => withStatus(summary, now.get(summary.table))).toSorted(inOrder), counts: frame.counts ?? counts };
    }
  }
}

function withStatus(summary: TableSummary, status: TableStatus | undefined): TableSummary {
  if (status === undefined) return summary;
  const { turn: _, ...rest } = summary;
  return { ...rest, ...status };
}

function without(tables: readonly TableSummary[], table: TableId): TableSummary[] {
  return tables.filter((summary) => summary.table !== table);
}

function inOrder(a: TableSummary, b: TableSummary): number {
  if (a.phase !== b.phase) return a.phase === 'open' ? -1 : 1;
  const watched = a.phase === 'running' ? b.spectators - a.spectators : 0;
  return watched || newestFirst(a, b);
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
  const { tables: live } = lobby ?? NONE;
  const isLive = new Set(live.map((summary) => summary.table));
  const yours = live.filter((summary) => belongsTo(summary, user));
  // A public one that is missing where all are shown is over.
  const mayBeLive = lobby !== null && hiddenIn(lobby) > 0;
  const quiet = own.filter(({ table, settings }) => !isLive.has(table) && (mayBeLive || settings.privacy === 'private'));
  const others = live.filter((summary) => !yours.includes(summary));
  return {
    yours: [...yours, ...quiet].toSorted(newestFirst),
    open: others.filter((summary) => summary.phase === 'open'),
    running: others.filter((summary) => summary.phase === 'running'),
  };
}

/** Returns the number of public tables outside the window. */
export function hiddenIn({ tables, counts }: LobbyWindow): number {
  return Math.max(0, counts.open + counts.running - tables.length);
}

/** Returns whether it is the turn of a seat of this user. */
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
