import type { LobbyFrame } from '../protocol/frames.ts';
import type { LobbyCounts, TableId, TableStatus, TableSummary, UserId } from '../protocol/generated.ts';

/** The part of the public tables that the server publishes. */
export interface LobbyWindow {
  /** The open tables, newest first, then the running ones, the most watched first. */
  readonly tables: readonly TableSummary[];
  /** The total numbers of tables and players. */
  readonly counts: LobbyCounts;
}

/** The lobby, or `null` until the server has sent it. */
export type LobbyState = LobbyWindow | null;

const EMPTY_WINDOW: LobbyWindow = { tables: [], counts: { open: 0, running: 0, players: 0 } };

/** Returns the lobby after a frame. The given lobby is not changed. */
export function foldLobby(lobby: LobbyState, frame: LobbyFrame): LobbyState {
  const { tables, counts } = lobby ?? EMPTY_WINDOW;
  switch (frame.t) {
    case 'lobby':
      return { tables: frame.tables.toSorted(byLobbyOrder), counts: frame.counts };
    case 'lobby_table':
      return { tables: [...without(tables, frame.table.table), frame.table].toSorted(byLobbyOrder), counts };
    case 'lobby_removed':
      return { tables: without(tables, frame.table), counts };
    case 'lobby_preview': {
      const statusByTable = new Map(frame.tables.map((status) => [status.table, status]));
      return { tables: tables.map((summary) => withStatus(summary, statusByTable.get(summary.table))).toSorted(byLobbyOrder), counts: frame.counts ?? counts };
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

function byLobbyOrder(a: TableSummary, b: TableSummary): number {
  if (a.phase !== b.phase) return a.phase === 'open' ? -1 : 1;
  const watched = a.phase === 'running' ? b.spectators - a.spectators : 0;
  return watched || newestFirst(a, b);
}

function newestFirst(a: TableSummary, b: TableSummary): number {
  return b.created_at_ms - a.created_at_ms || (a.table < b.table ? 1 : -1);
}

/** The tables of the lobby as groups for one user. */
export interface TableGroups {
  readonly yours: readonly TableSummary[];
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
}

/** Groups the tables: first the user's own ones, public or private, then the others by phase. */
export function groupTables(lobby: LobbyState, own: readonly TableSummary[], user: UserId | null): TableGroups {
  const { tables: live } = lobby ?? EMPTY_WINDOW;
  const isLive = new Set(live.map((summary) => summary.table));
  const yours = live.filter((summary) => belongsTo(summary, user));
  // If the lobby shows all public tables, an own public table that is missing has ended.
  const mayBeLive = lobby !== null && hiddenCount(lobby) > 0;
  const notLive = own.filter(({ table, settings }) => !isLive.has(table) && (mayBeLive || settings.privacy === 'private'));
  const others = live.filter((summary) => !yours.includes(summary));
  return {
    yours: [...yours, ...notLive].toSorted(newestFirst),
    open: others.filter((summary) => summary.phase === 'open'),
    running: others.filter((summary) => summary.phase === 'running'),
  };
}

/** Returns the number of public tables outside the window. */
export function hiddenCount({ tables, counts }: LobbyWindow): number {
  return Math.max(0, counts.open + counts.running - tables.length);
}

/** Returns whether a user is to move at a table. */
export function isTurnOf(user: UserId | null, { turn, seats }: TableSummary): boolean {
  return user !== null && seats.some((seat) => seat.color === turn && seat.user?.id === user);
}

/** Returns the user's own tables, those where the user is to move first. */
export function yourTurnFirst(yours: readonly TableSummary[], user: UserId | null): TableSummary[] {
  return yours.toSorted((a, b) => Number(isTurnOf(user, b)) - Number(isTurnOf(user, a)));
}

function belongsTo(summary: TableSummary, user: UserId | null): boolean {
  return user !== null && (summary.host.id === user || summary.seats.some((seat) => seat.user?.id === user));
}
