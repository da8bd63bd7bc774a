import type { FrameOf } from '../../src/protocol/frames.ts';
import type { OwnTable, TableSummary } from '../../src/protocol/generated.ts';
import { seats, user } from './boards.ts';
import { MATCH, SETTINGS } from './match.ts';

/** Returns a lobby frame with these tables and a number of hidden ones. */
export function lobbyFrame(tables: TableSummary[], hidden = 0): FrameOf<'lobby'> {
  const of = (phase: TableSummary['phase']): number => tables.filter((summary) => summary.phase === phase).length;
  return { t: 'lobby', tables, counts: { open: of('open') + hidden, running: of('running'), players: 0 }, activity: { online: 1, matches_today: 0 } };
}

/** An open table of Ada, as the server lists it among her own. */
export function ownTable(table: string, more: Partial<OwnTable> = {}): OwnTable {
  return {
    table,
    settings: SETTINGS,
    host: user('Ada'),
    phase: 'open',
    seats: seats({ white: 'Ada', black: more.phase === 'running' ? 'Ben' : null }),
    plies: 0,
    spectators: 0,
    created_at_ms: 1,
    match: MATCH,
    your_move: false,
    ...more,
  };
}
