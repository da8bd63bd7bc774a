import type { OwnTablesFrame } from '../protocol/frames.ts';
import type { MatchId, OwnTable, TableId, UserId } from '../protocol/generated.ts';

/** An own table as it was received. */
export interface OwnTableState extends OwnTable {
  /**
   * The time by which the user must have moved, on the browser's monotonic clock; `null` if there
   * is no limit.
   */
  readonly deadline_ms: number | null;
  /** Set if the match has started while this page was open, until the user opens the table. */
  readonly hasJustStarted: boolean;
}

/** The user's own tables; `null` until the server has sent them. */
export type OwnTables = readonly OwnTableState[] | null;

/** A reason to call the user to a table. */
export interface Call {
  readonly kind: 'move' | 'started';
  readonly table: OwnTableState;
}

/** Folds a frame into the own tables, newest first. `now_ms` is the time of its arrival. */
export function foldOwnTables(tables: OwnTables, frame: OwnTablesFrame, now_ms: number): OwnTables {
  const previous = tables ?? [];
  switch (frame.t) {
    case 'own_tables':
      return frame.tables.map((table) => received(previous, table, now_ms));
    case 'own_table': {
      const others = previous.filter(({ table }) => table !== frame.table.table);
      return [...others, received(previous, frame.table, now_ms)].toSorted(newestFirst);
    }
    case 'own_table_removed':
      return previous.filter(({ table }) => table !== frame.table);
  }
}

/** Returns the own tables after the user has opened one of them. */
export function afterOpening(tables: OwnTables, opened: TableId): OwnTables {
  if (tables?.some(({ table, hasJustStarted }) => hasJustStarted && table === opened) !== true) return tables;
  return tables.map((table) => (table.table === opened ? { ...table, hasJustStarted: false } : table));
}

/** Returns the calls of all tables except the open one, the most urgent first. */
export function callsTo(tables: OwnTables, user: UserId | null, open: TableId | null): Call[] {
  const running = (tables ?? []).filter(({ phase, table }) => phase === 'running' && table !== open);
  const calls = running.flatMap((table): Call[] => {
    if (table.your_move) return [{ kind: 'move', table }];
    const isSeated = table.seats.some((seat) => seat.user?.id === user);
    return table.hasJustStarted && isSeated ? [{ kind: 'started', table }] : [];
  });
  return calls.toSorted((a, b) => urgency(a) - urgency(b));
}

/** Returns a key that identifies a call. A later turn in the same match has another key. */
export function callKey({ kind, table }: Call): string {
  return composeCallKey(kind, table.match, table.plies);
}

/** Returns the key of a call to a match after a number of plies. */
export function composeCallKey(kind: Call['kind'], match: MatchId, plies: number): string {
  return `${kind} ${match} ${plies}`;
}

function urgency({ kind, table }: Call): number {
  return kind === 'started' ? Infinity : (table.deadline_ms ?? Number.MAX_VALUE);
}

function received(known: readonly OwnTableState[], table: OwnTable, now_ms: number): OwnTableState {
  const before = known.find((one) => one.table === table.table);
  const isSameMatch = (match: MatchId | undefined): boolean => match === table.match;
  const starts = before?.phase === 'open' && table.phase === 'running';
  return {
    ...table,
    deadline_ms: table.left_ms === undefined ? null : now_ms + table.left_ms,
    hasJustStarted: starts || (isSameMatch(before?.match) && before?.hasJustStarted === true && table.phase === 'running'),
  };
}

function newestFirst(a: OwnTable, b: OwnTable): number {
  return b.created_at_ms - a.created_at_ms || (a.table < b.table ? 1 : -1);
}
