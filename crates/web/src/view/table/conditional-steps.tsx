import type { JSX } from 'preact';
import type { ConditionalStep } from '../../protocol/generated.ts';
import { parseMove } from '../../store/moves.ts';
import { text } from '../../text/index.ts';

/** The steps of a line of conditional moves, each with the color that moves. */
export function ConditionalSteps({ steps }: { steps: readonly ConditionalStep[] }): JSX.Element {
  return (
    <ol class="conditional-steps">
      {steps.map((step, index) => (
        <li key={index} data-color={step.color} aria-label={text.conditional.step(step.color, stepText(step))}>
          <span class="plate-chip" aria-hidden="true" />
          <span aria-hidden="true">{stepText(step) ?? '…'}</span>
        </li>
      ))}
    </ol>
  );
}

/** Returns the move of a step, such as `b10–a11=N`; `null` for any move. */
function stepText({ move }: ConditionalStep): string | null {
  const parts = move === undefined ? null : parseMove(move);
  if (parts === null) return null;
  return `${parts.from}–${parts.to}${parts.promotion === null ? '' : `=${parts.promotion.toUpperCase()}`}`;
}
