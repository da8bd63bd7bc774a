import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isIn, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

interface ControlsProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** What a player still in may do beside moving: draws and resigning. */
export function Controls({ store, state }: ControlsProps): JSX.Element | null {
  const [asking, setAsking] = useState(false);
  const { you } = state;
  const { phase, offer, claimable, turn } = state.state;
  if (you === null || phase !== 'running' || !isIn(state, you)) return null;
  const mayAnswer = offer !== undefined && !offer.accepted.includes(you);
  return (
    <section class="controls">
      <div class="buttons">
        {mayAnswer ? (
          <>
            <button type="button" class="button primary" data-testid="draw-accept" onClick={() => void store.draw('accept')}>
              {text.play.accept}
            </button>
            <button type="button" class="button" data-testid="draw-decline" onClick={() => void store.draw('decline')}>
              {text.play.decline}
            </button>
          </>
        ) : (
          <button
            type="button"
            class="button"
            data-testid="draw-offer"
            disabled={offer !== undefined}
            onClick={() => void store.draw('offer')}
          >
            {offer === undefined ? text.play.offer : text.play.offered}
          </button>
        )}
        {claimable && turn === you && (
          <button type="button" class="button primary" data-testid="draw-claim" onClick={() => void store.draw('claim')}>
            {text.play.claim}
          </button>
        )}
        <button type="button" class="button" data-testid="resign" onClick={() => setAsking(true)}>
          {text.play.resign}
        </button>
      </div>
      {asking && (
        <Dialog title={text.play.resignTitle} onClose={() => setAsking(false)}>
          <p>{state.state.players_in.length > 2 ? text.play.resignFour : text.play.resignTwo}</p>
          <div class="buttons end">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              {text.play.keep}
            </button>
            <button
              type="button"
              class="button danger"
              data-testid="resign-confirm"
              onClick={() => {
                setAsking(false);
                void store.resign();
              }}
            >
              {text.play.resign}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
