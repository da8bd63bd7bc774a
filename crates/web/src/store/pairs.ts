import type { MatchSummary, UserView } from '../protocol/generated.ts';

/** The actions of a player against another one, and the numbers that were to be expected. */
export interface PairCount {
  readonly captures: number;
  readonly expected_captures: number;
  readonly checks: number;
  readonly expected_checks: number;
  readonly eliminations: number;
  readonly expected_eliminations: number;
}

/** Two players with their actions against each other in rated matches of four players. */
export interface PairView {
  readonly a: UserView;
  readonly b: UserView;
  /** The number of matches that both have played. */
  readonly matches: number;
  /** The standard deviations by which the actions are fewer than expected. */
  readonly spares: number;
  readonly a_to_b: PairCount;
  readonly b_to_a: PairCount;
  /** The time of the last match. */
  readonly last_ms: number;
}

/** The pairs of players who spare each other, the most conspicuous first. */
export interface PairList {
  readonly pairs: readonly PairView[];
  /** The time at which the numbers were computed. */
  readonly computed_at_ms?: number;
}

/** A pair of players with the last matches that both have played. */
export interface PairDetails {
  readonly pair: PairView;
  readonly matches: readonly MatchSummary[];
}
