import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { placeOf } from '../../store/next-table.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { NextSteps } from './next-steps.tsx';

/** The card of an eliminated player while the others play on: the reason, and the next steps. */
export function Eliminated({ state }: { state: TableState }): JSX.Element | null {
  const { viewerSeat } = state;
  const [isOpen, setOpen] = useState(true);
  const event = state.history.findLast((entry) => entry.event.type === 'eliminated' && entry.event.color === viewerSeat)?.event;
  const place = viewerSeat === null ? null : placeOf(state, viewerSeat);
  if (event?.type !== 'eliminated' || place === null) return null;
  if (!isOpen) return <CardLink rated={state.settings.rated} onOpen={() => setOpen(true)} />;
  return (
    <>
      <CardLink rated={state.settings.rated} onOpen={() => setOpen(true)} />
      <section class="card eliminated-card" data-testid="out" data-cause={event.cause} aria-label={text.postGame.title}>
        <h2>{text.play.eliminatedBy[event.cause](event.by ?? [])}</h2>
        <p>
          {text.play.ownPlace(text.place(place))} {text.play.eliminatedHint}
        </p>
        {/* An eliminated player leaves without giving up the seat. */}
        <NextSteps state={state} onLeave={() => undefined} />
        <button type="button" class="button" data-testid="keep-watching" onClick={() => setOpen(false)}>
          {text.postGame.watch}
        </button>
      </section>
    </>
  );
}

/**
 * A link to the card. It has the height of a player's buttons, which it replaces, so that the page
 * does not move.
 */
function CardLink({ rated, onOpen }: { rated: boolean; onOpen: () => void }): JSX.Element {
  const { draw, takeback, pause, abort } = text.requests;
  const labels = [draw.ask, ...(rated ? [] : [takeback.ask, pause.ask]), abort.ask, text.play.resign];
  return (
    <section class="controls eliminated">
      <div class="buttons" aria-hidden="true">
        {labels.map((label) => (
          <span key={label} class="button">
            {label}
          </span>
        ))}
      </div>
      <button type="button" class="link-button" data-testid="what-next" onClick={onOpen}>
        {text.postGame.title}
      </button>
    </section>
  );
}
