import type { FrameOf } from '../../src/protocol/frames.ts';
import type { TableSummary } from '../../src/protocol/generated.ts';

/** Returns a lobby frame with these tables and a number of hidden ones. */
export function lobbyFrame(tables: TableSummary[], hidden = 0): FrameOf<'lobby'> {
  const of = (phase: TableSummary['phase']): number => tables.filter((summary) => summary.phase === phase).length;
  return { t: 'lobby', tables, counts: { open: of('open') + hidden, running: of('running'), players: 0 } };
}
