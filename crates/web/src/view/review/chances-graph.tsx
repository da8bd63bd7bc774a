import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Color, Review } from '../../protocol/generated.ts';
import { bandBoundaries } from '../../store/match-review.ts';
import { text } from '../../text/index.ts';

/** The greatest distance from a swing at which a press still goes to the swing, in pixels. */
const SNAP_PX = 9;
/** The height of the graph in the units of its view box. One unit is a thousandth of a chance. */
const GRAPH_HEIGHT = 1_000;

interface ChancesGraphProps {
  readonly review: Review;
  /** The players in turn order. */
  readonly colors: readonly Color[];
  /** The displayed ply; `null` for a position that did not occur in the match. */
  readonly ply: number | null;
  readonly onGoTo: (ply: number) => void;
}

/**
 * The players' chances over a match, as bands in the players' colors, stacked on each other. A
 * press or a drag goes to a ply. Users of the keyboard or of a screen reader have the page's slider
 * and the list of swings instead.
 */
export function ChancesGraph({ review, colors, ply, onGoTo }: ChancesGraphProps): JSX.Element {
  const plyCount = review.chances.length - 1;
  const bands = useMemo(() => bandPaths(review, colors), [review, colors]);
  const isPressed = useRef(false);
  const goToPointer = (event: PointerEvent, snapsToSwing: boolean): void => {
    const element = event.currentTarget;
    if (!(element instanceof Element) || plyCount === 0) return;
    const { left, width } = element.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / Math.max(width, 1), 0), 1);
    const near = review.swings.filter((swing) => Math.abs(swing.ply / plyCount - share) * width <= SNAP_PX);
    const nearest = near.toSorted((one, other) => Math.abs(one.ply / plyCount - share) - Math.abs(other.ply / plyCount - share))[0];
    onGoTo(snapsToSwing && nearest !== undefined ? nearest.ply : Math.round(share * plyCount));
  };
  return (
    <div
      class="review-graph"
      role="img"
      aria-label={graphLabel(review, colors, ply)}
      data-testid="review-graph"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        isPressed.current = true;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        goToPointer(event, true);
      }}
      onPointerMove={(event) => {
        if (isPressed.current) goToPointer(event, false);
      }}
      onPointerUp={() => (isPressed.current = false)}
      onPointerCancel={() => (isPressed.current = false)}
    >
      <div class="review-marks" aria-hidden="true">
        {review.swings.map((swing) => (
          <span
            key={swing.ply}
            class="review-mark"
            data-color={swing.color}
            data-kind={swing.kind}
            data-current={swing.ply === ply}
            style={{ insetInlineStart: `${(swing.ply / Math.max(plyCount, 1)) * 100}%` }}
          />
        ))}
      </div>
      <svg viewBox={`0 0 ${Math.max(plyCount, 1)} ${GRAPH_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bands.map(([color, path]) => (
          <path key={color} class="review-band" data-color={color} d={path} />
        ))}
      </svg>
      {ply !== null && ply <= plyCount && (
        <span class="review-now" aria-hidden="true" style={{ insetInlineStart: `${(ply / Math.max(plyCount, 1)) * 100}%` }} />
      )}
    </div>
  );
}

/** Returns the outline of each player's band. */
function bandPaths(review: Review, colors: readonly Color[]): (readonly [Color, string])[] {
  const boundaries = bandBoundaries(review, colors);
  return colors.map((color, index) => {
    const [upper, lower] = [boundaries[index] ?? [], boundaries[index + 1] ?? []];
    const points = [...upper.map((y, x) => `${x} ${y}`), ...lower.map((y, x) => `${x} ${y}`).toReversed()];
    return [color, `M${points.join('L')}Z`] as const;
  });
}

/** Describes the graph at the displayed ply, or at the end of the match. */
function graphLabel(review: Review, colors: readonly Color[], ply: number | null): string {
  const plyCount = review.chances.length - 1;
  const at = ply ?? plyCount;
  const shares = review.chances[at] ?? {};
  const list = text.list(colors.map((color) => text.engine.chance(color, text.percent((shares[color] ?? 0) / 1_000))));
  return text.review.graph(at === 0 ? text.replayControls.start(plyCount) : text.replayControls.after(at, plyCount), list);
}
