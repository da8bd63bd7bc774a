import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Request } from '../../protocol/generated.ts';
import { hasMoveToTakeBack, isIn, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

interface ControlsProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** What a player still in may do beside moving: draws, takebacks and resigning. */
export function Controls({ store, state }: ControlsProps): JSX.Element | null {
  const [asking, setAsking] = useState(false);
  const { you } = state;
  const { phase, claimable, turn } = state.state;
  if (you === null || phase !== 'running' || !isIn(state, you)) return null;
  return (
    <section class="controls">
      <div class="buttons">
        <RequestButtons store={store} state={state} request="draw" possible />
        <RequestButtons store={store} state={state} request="takeback" possible={hasMoveToTakeBack(state, you)} />
        {claimable && turn === you && (
          <button type="button" class="button primary" data-testid="draw-claim" onClick={() => void store.claimDraw()}>
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

interface RequestButtonsProps extends ControlsProps {
  readonly request: Request;
  /** Whether there is something to ask for. */
  readonly possible: boolean;
}

/** One kind of request: the button to make it, or the answers to the open one. */
function RequestButtons({ store, state, request, possible }: RequestButtonsProps): JSX.Element {
  const open = state.state.requests?.find((one) => one.request === request);
  const words = text.requests[request];
  if (open === undefined || state.you === null || open.agreed.includes(state.you)) {
    return (
      <button
        type="button"
        class="button"
        data-testid={`${request}-ask`}
        disabled={open !== undefined || !possible}
        onClick={() => void store.request(request, 'ask')}
      >
        {open === undefined ? words.ask : words.asked}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class="button primary"
        data-testid={`${request}-accept`}
        onClick={() => void store.request(request, 'accept')}
      >
        {words.accept}
      </button>
      <button
        type="button"
        class="button"
        data-testid={`${request}-decline`}
        onClick={() => void store.request(request, 'decline')}
      >
        {words.decline}
      </button>
    </>
  );
}
