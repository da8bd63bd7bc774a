import type { JSX } from 'preact';
import { placeOf } from '../../store/next-table.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { NextSteps } from './next-steps.tsx';

/** What happened to an eliminated player while the others play on, and the ways on. */
export function Eliminated({ state }: { state: TableState }): JSX.Element | null {
  const { actingSeat } = state;
  const event = state.history.findLast((entry) => entry.event.type === 'eliminated' && entry.event.color === actingSeat)?.event;
  const place = actingSeat === null ? null : placeOf(state, actingSeat);
  if (event?.type !== 'eliminated' || place === null) return null;
  return (
    <section class="card eliminated" data-testid="out" data-cause={event.cause} aria-label={text.postGame.title}>
      <h2>{text.play.outBy[event.cause](event.by ?? [])}</h2>
      <p>
        {text.play.outAt(text.place(place))} {text.play.outHint}
      </p>
      {/* An eliminated player owes the table nothing: the seat stays as it is. */}
      <NextSteps state={state} onPart={() => undefined} />
    </section>
  );
}
