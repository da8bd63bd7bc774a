import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { MatchId, Swing } from '../../protocol/generated.ts';
import type { Analysis } from '../../store/analysis/analysis.ts';
import type { AnalysisRoot } from '../../store/analysis/analysis-root.ts';
import { START } from '../../store/analysis/line-tree.ts';
import { ReviewCard } from '../review/review-card.tsx';
import { useReview } from '../review/use-review.ts';

interface AnalysisReviewProps {
  readonly analysis: Analysis;
  readonly root: AnalysisRoot;
  /** The match that is analysed. */
  readonly match: MatchId;
}

/**
 * The review of the match that is analysed. A press on its graph or on a swing goes to the position
 * in the match.
 */
export function AnalysisReview({ analysis, root, match }: AnalysisReviewProps): JSX.Element | null {
  const review = useReview(match);
  useEffect(() => void review.load(), [review]);
  const colors = useMemo(() => root.seats.map(({ color }) => color), [root]);
  const { gameNodes } = root;
  const plies = analysis.plies.value;
  const status = review.status.value;
  // Another game has been imported, so the review does not belong to the tree any more.
  if (gameNodes.length === 0 || (status?.state === 'done' && status.review.chances.length !== gameNodes.length + 1)) return null;
  const node = analysis.currentNode.value;
  const index = gameNodes.indexOf(node);
  const ply = node === START ? 0 : index === -1 ? null : index + 1;
  const goTo = (to: number): void => analysis.goTo(to === 0 ? START : (gameNodes[to - 1] ?? START));
  const tryBetter = (swing: Swing): void => {
    goTo(swing.ply - 1);
    void analysis.playMoves(swing.best.map(({ move }) => move));
  };
  const notations = gameNodes.map((one) => plies[one]?.notation ?? '');
  return <ReviewCard review={review} match={match} colors={colors} ply={ply} notations={notations} onGoTo={goTo} onTry={tryBetter} />;
}
