import type { JSX } from 'preact';
import type { Analysis, SeatView } from '../../protocol/generated.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import type { Layout, Place } from '../board/geometry.ts';
import { chancesOf } from './words.ts';

interface ScoreBarProps {
  readonly thought: EngineStatus;
  readonly seats: readonly SeatView[];
  readonly layout: Layout;
}

/** From the bottom of the bar to its top, as the seats stand around the board. */
const UPWARDS: readonly Place[] = ['bottom', 'left', 'right', 'top'];

/** Beside the board, what chance each seat has; its place is kept while the engine looks. */
export function ScoreBar({ thought, seats, layout }: ScoreBarProps): JSX.Element | null {
  if (thought.kind === 'off') return null;
  const analysis = analysisIn(thought);
  const chances = analysis?.lines[0]?.chances ?? {};
  const places = new Map(seats.map(({ color, side }) => [layout.placeOf(side), color]));
  const order = UPWARDS.map((place) => places.get(place)).filter((color) => color !== undefined);
  let below = 0;
  const shares = order.map((color) => {
    const share = (chances[color] ?? 0) / 1_000;
    below += share;
    return { color, share, from: below - share };
  });
  return (
    <div
      class="score-bar"
      role="img"
      aria-label={analysis === null ? text.engine.unknown : text.engine.chances(chancesOf(analysis))}
      data-testid="score-bar"
      data-standing={thought.kind}
    >
      {analysis !== null &&
        shares.map(({ color, share, from }) => (
          <span key={color} class="score-share" data-color={color} style={{ '--share': share, '--from': from }} />
        ))}
    </div>
  );
}

/** Returns the analysis that the bar shows: the previous one until a new one has arrived. */
function analysisIn(thought: EngineStatus): Analysis | null {
  return thought.kind === 'told' ? thought.analysis : thought.kind === 'looking' ? thought.last : null;
}
