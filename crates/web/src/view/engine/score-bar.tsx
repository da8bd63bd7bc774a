import type { JSX } from 'preact';
import type { Analysis, SeatView } from '../../protocol/generated.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import type { Layout, ScreenSide } from '../board/geometry.ts';
import { chancesText } from './evaluation-text.ts';

interface ScoreBarProps {
  readonly engineStatus: EngineStatus;
  readonly seats: readonly SeatView[];
  readonly layout: Layout;
}

/** The seats from the bottom of the bar to its top, by their sides of the screen. */
const SIDES_UPWARDS: readonly ScreenSide[] = ['bottom', 'left', 'right', 'top'];

/**
 * A bar beside the board with each seat's chance to win. Its place stays reserved during a request.
 */
export function ScoreBar({ engineStatus, seats, layout }: ScoreBarProps): JSX.Element | null {
  if (engineStatus.kind === 'off') return null;
  const analysis = shownAnalysis(engineStatus);
  const chances = analysis?.lines[0]?.chances ?? {};
  const colorByScreenSide = new Map(seats.map(({ color, side }) => [layout.screenSideOf(side), color]));
  const order = SIDES_UPWARDS.map((side) => colorByScreenSide.get(side)).filter((color) => color !== undefined);
  let total = 0;
  const shares = order.map((color) => {
    const share = (chances[color] ?? 0) / 1_000;
    total += share;
    return { color, share, from: total - share };
  });
  return (
    <div
      class="score-bar"
      role="img"
      aria-label={analysis === null ? text.engine.unknown : text.engine.chances(chancesText(analysis))}
      data-testid="score-bar"
      data-state={engineStatus.kind}
    >
      {analysis !== null &&
        shares.map(({ color, share, from }) => (
          <span key={color} class="score-share" data-color={color} style={{ '--share': share, '--from': from }} />
        ))}
    </div>
  );
}

/** Returns the displayed analysis. During a request it is the previous analysis. */
function shownAnalysis(engineStatus: EngineStatus): Analysis | null {
  return engineStatus.kind === 'done' ? engineStatus.analysis : engineStatus.kind === 'searching' ? engineStatus.previous : null;
}
