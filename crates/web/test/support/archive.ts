import type { MatchSummary } from '../../src/protocol/generated.ts';
import { seats } from './boards.ts';
import { TABLE } from './match.ts';

/** Returns the summary of a classic match that White has won. */
export function matchSummary(match: string, more: Partial<MatchSummary> = {}): MatchSummary {
  return {
    match,
    table: TABLE,
    variant: 'classic',
    time: { kind: 'none' },
    seats: seats({ white: 'Ada', black: 'Ben' }),
    started_at_ms: 1_700_000_000_000,
    ended_at_ms: 1_700_000_600_000,
    plies: 7,
    outcome: { reason: 'mate', places: { white: 1, black: 2 } },
    ...more,
  };
}
