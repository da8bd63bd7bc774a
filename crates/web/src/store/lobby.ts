import type { LobbyFrame } from '../protocol/frames.ts';
import type { Activity, LobbyCounts, OwnTable, TableId, TableStatus, TableSummary, UserId } from '../protocol/generated.ts';

/** The part of the public tables that the server sends as a list, and their total numbers. */
export interface LobbyWindow {
  /**
   * The open tables, newest first, and then the running tables, sorted by their number of
   * spectators, largest first.
   */
  readonly tables: readonly TableSummary[];
  /** The total numbers of tables and players. */
  readonly counts: LobbyCounts;
  /** The activity on the server. */
  readonly activity: Activity;
}

/** The lobby, or `null` until the server has sent it. */
export type LobbyState = LobbyWindow | null;

const EMPTY_WINDOW: LobbyWindow = {
  tables: [],
  counts: { open: 0, running: 0, players: 0 },
  activity: { online: 0, matches_today: 0 },
};

/** Returns the lobby after a frame. The given lobby is not changed. */
export function foldLobby(lobby: LobbyState, frame: LobbyFrame): LobbyState {
  const { tables, counts, activity } = lobby ?? EMPTY_WINDOW;
  switch (frame.t) {
    case 'lobby':
      return { tables: frame.tables.toSorted(byLobbyOrder), counts: frame.counts, activity: frame.activity };
    case 'lobby_table':
      return { tables: [...without(tables, frame.table.table), frame.table].toSorted(byLobbyOrder), counts, activity };
    case 'lobby_removed':
      return { tables: without(tables, frame.table), counts, activity };
    case 'lobby_preview': {
      const statusByTable = new Map(frame.tables.map((status) => [status.table, status]));
      return {
        tables: tables.map((summary) => withStatus(summary, statusByTable.get(summary.table))).toSorted(byLobbyOrder),
        counts: frame.counts ?? counts,
        activity: frame.activity ?? activity,
      };
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

/** The public tables of others. */
export interface TableGroups {
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
}

/** Groups the public tables, except the user's own tables, by phase. */
export function groupTables(lobby: LobbyState, own: readonly OwnTable[], user: UserId | null): TableGroups {
  const isOwn = new Set(own.map(({ table }) => table));
  const others = (lobby ?? EMPTY_WINDOW).tables.filter((summary) => !isOwn.has(summary.table) && !belongsTo(summary, user));
  return {
    open: others.filter((summary) => summary.phase === 'open'),
    running: others.filter((summary) => summary.phase === 'running'),
  };
}

/**
 * Returns the open tables where this user may take a seat. Tables with fewer open seats come first.
 */
export function joinableTables(lobby: LobbyState, user: UserId | null): TableSummary[] {
  const open = (lobby ?? EMPTY_WINDOW).tables.filter(
    (summary) => summary.phase === 'open' && summary.settings.admission === 'open' && !belongsTo(summary, user),
  );
  return open.toSorted((a, b) => openSeats(a) - openSeats(b));
}

/** Returns the number of seats that are taken. */
export function takenSeats({ seats }: TableSummary): number {
  return seats.filter((seat) => seat.user !== null).length;
}

/** Returns the number of public tables that are not in the list. */
export function hiddenCount({ tables, counts }: LobbyWindow): number {
  return Math.max(0, counts.open + counts.running - tables.length);
}

function belongsTo(summary: TableSummary, user: UserId | null): boolean {
  return user !== null && (summary.host.id === user || summary.seats.some((seat) => seat.user?.id === user));
}

function openSeats(summary: TableSummary): number {
  return summary.seats.length - takenSeats(summary);
}
