import type { JSX } from 'preact';
import type { Color, MatchId, Move, Review, Swing } from '../../protocol/generated.ts';
import type { MatchReview } from '../../store/match-review.ts';
import { text } from '../../text/index.ts';
import { errorText } from '../../text/error-text.ts';
import { ChancesGraph } from './chances-graph.tsx';

/** The number of displayed moves of a better line. */
const SHOWN_MOVES = 6;

interface ReviewCardProps {
  readonly review: MatchReview;
  readonly match: MatchId;
  /** The players in turn order. */
  readonly colors: readonly Color[];
  /** The displayed ply; `null` for a position that did not occur in the match. */
  readonly ply: number | null;
  /** The notation of each move of the match. */
  readonly notations: readonly string[];
  readonly onGoTo: (ply: number) => void;
  /** Plays a better line on this page. If it is not given, the line is a link to its analysis. */
  readonly onTry?: (swing: Swing) => void;
}

/** The engine's review of a match: the chances as a graph, and the moves that cost most. */
export function ReviewCard({ review, match, colors, ply, notations, onGoTo, onTry }: ReviewCardProps): JSX.Element | null {
  const status = review.status.value;
  const error = review.error.value;
  if (status === null || status.state === 'unavailable') return null;
  return (
    <section class="card review" aria-labelledby="review-title" data-testid="review" data-state={status.state}>
      <h2 id="review-title" class="review-title">
        {text.review.title}
      </h2>
      {status.state === 'none' && (
        <>
          <p class="quiet">{text.review.intro}</p>
          <button type="button" class="button" data-testid="request-review" onClick={() => void review.request()}>
            {text.review.request}
          </button>
        </>
      )}
      {status.state === 'waiting' && (
        <p class="quiet" role="status">
          {text.review.waiting(status.ahead)}
        </p>
      )}
      {status.state === 'running' && <Progress done={status.done} total={status.of} />}
      {status.state === 'done' && (
        <Result review={status.review} match={match} colors={colors} ply={ply} notations={notations} onGoTo={onGoTo} {...(onTry && { onTry })} />
      )}
      {error !== null && (
        <p class="field-error" role="alert">
          {errorText(error)}
        </p>
      )}
    </section>
  );
}

function Progress({ done, total }: { done: number; total: number }): JSX.Element {
  return (
    <>
      <p class="quiet" id="review-progress">
        {text.review.running(done, total)}
      </p>
      <progress class="review-progress" value={done} max={Math.max(total, 1)} aria-labelledby="review-progress" />
    </>
  );
}

interface ResultProps extends Omit<ReviewCardProps, 'review'> {
  readonly review: Review;
}

function Result({ review, match, colors, ply, notations, onGoTo, onTry }: ResultProps): JSX.Element {
  const shares = review.chances[ply ?? review.chances.length - 1] ?? {};
  return (
    <>
      <ChancesGraph review={review} colors={colors} ply={ply} onGoTo={onGoTo} />
      <ul class="review-legend" aria-label={text.review.chances}>
        {colors.map((color) => (
          <li key={color} data-color={color}>
            <span class="plate-chip" aria-hidden="true" />
            <span>{text.colors[color]}</span>
            <span class="review-share">{text.percent((shares[color] ?? 0) / 1_000)}</span>
          </li>
        ))}
      </ul>
      {review.swings.length === 0 ? (
        <p class="quiet">{text.review.none}</p>
      ) : (
        <ol class="review-swings" aria-label={text.review.swings} data-testid="review-swings">
          {review.swings.map((swing) => (
            <SwingItem
              key={swing.ply}
              swing={swing}
              match={match}
              notation={notations[swing.ply - 1] ?? ''}
              isCurrent={swing.ply === ply}
              onGoTo={onGoTo}
              {...(onTry && { onTry })}
            />
          ))}
        </ol>
      )}
      <p class="review-note quiet">{text.review.thresholds}</p>
    </>
  );
}

interface SwingItemProps {
  readonly swing: Swing;
  readonly match: MatchId;
  readonly notation: string;
  readonly isCurrent: boolean;
  readonly onGoTo: (ply: number) => void;
  readonly onTry?: (swing: Swing) => void;
}

/**
 * A swing: the move and the better move. A press on the move goes to its position; a press on the
 * better move plays its line.
 */
function SwingItem({ swing, match, notation, isCurrent, onGoTo, onTry }: SwingItemProps): JSX.Element {
  const { ply, color, kind, loss, best } = swing;
  const line = best.slice(0, SHOWN_MOVES).map((move) => move.notation).join(' ');
  return (
    <li class="review-swing" data-color={color} data-kind={kind}>
      <button type="button" class="review-jump" data-testid="review-jump" aria-current={isCurrent ? 'step' : undefined} onClick={() => onGoTo(ply)}>
        <span class="review-sign" data-kind={kind} aria-hidden="true">
          {kind === 'blunder' ? '??' : '?'}
        </span>
        <span class="plate-chip" aria-hidden="true" />
        <span class="review-move">{text.review.move(ply, color, notation)}</span>
        <span class="review-loss">{text.review.loss(text.review.kinds[kind], text.percent(loss / 1_000))}</span>
      </button>
      {onTry === undefined ? (
        <a class="review-best" href={betterMoveAddress(match, ply, best.map((one) => one.move))} data-testid="review-best">
          {text.review.best(line)}
        </a>
      ) : (
        <button type="button" class="review-best" data-testid="review-best" onClick={() => onTry(swing)}>
          {text.review.best(line)}
        </button>
      )}
    </li>
  );
}

/** Returns the address of the analysis of the better line, from the position before the move. */
function betterMoveAddress(match: MatchId, ply: number, moves: readonly Move[]): string {
  return `/analysis?${new URLSearchParams({ match, ply: String(ply - 1), moves: moves.join('-') }).toString()}`;
}
