import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Request } from '../../protocol/generated.ts';
import { mayClaimDrawWithMove } from '../../store/claims.ts';
import { requestingSeat } from '../../store/own-seats.ts';
import { canTakeBack, isActive, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Confirm } from './confirm.tsx';
import { Resign } from './resign.tsx';

interface ControlsProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** Actions of a player still in besides moving: requests to all, claiming a draw, resigning. */
export function Controls({ store, state }: ControlsProps): JSX.Element | null {
  const [sure, setSure] = useState<'resign' | 'abort' | null>(null);
  const withMove = useMemo(() => mayClaimDrawWithMove(state), [state]);
  const { you } = state;
  const { phase, can_claim_draw, turn, suspension } = state.state;
  if (you === null || phase !== 'running') return null;
  if (!isActive(state, you)) return <Out rated={state.settings.rated} />;
  const taker = requestingSeat(state, 'takeback') ?? you;
  const claims = turn === you && suspension === undefined;
  return (
    <section class="controls">
      <div class="buttons">
        <Ask store={store} state={state} request="draw" possible />
        {!state.settings.rated && (
          <Ask store={store} state={state} request="takeback" possible={canTakeBack(state, taker)} />
        )}
        <Ask store={store} state={state} request="pause" possible={suspension === undefined} />
        <Ask store={store} state={state} request="abort" possible onAsk={() => setSure('abort')} />
        <button type="button" class="button" data-testid="resign" onClick={() => setSure('resign')}>
          {text.play.resign}
        </button>
      </div>
      {claims && (can_claim_draw || withMove) && (
        <div class="claims">
          {can_claim_draw && (
            <button type="button" class="button primary" data-testid="draw-claim" onClick={() => void store.claimDraw()}>
              {text.request.claim}
            </button>
          )}
          <label class="check">
            <input
              type="checkbox"
              data-testid="claim-with-move"
              checked={store.claimsWithMove.value}
              onChange={(event) => {
                store.claimsWithMove.value = event.currentTarget.checked;
              }}
            />
            <span>{text.request.claimWithMove}</span>
          </label>
        </div>
      )}
      {sure === 'resign' && <Resign store={store} state={state} onClose={() => setSure(null)} />}
      {sure === 'abort' && (
        <Confirm
          title={text.request.abortTitle}
          action={text.request.abortAsk}
          keep={text.play.keep}
          testId="abort-confirm"
          onConfirm={() => void store.request('abort', 'ask')}
          onClose={() => setSure(null)}
        >
          {text.request.abortHint}
        </Confirm>
      )}
    </section>
  );
}

/**
 * The notice for an eliminated player; it takes the place of the buttons, so that nothing else
 * moves.
 */
function Out({ rated }: { rated: boolean }): JSX.Element {
  const { draw, takeback, pause, abort } = text.requests;
  const were = [draw.ask, ...(rated ? [] : [takeback.ask]), pause.ask, abort.ask, text.play.resign];
  return (
    <section class="controls eliminated">
      <div class="buttons" aria-hidden="true">
        {were.map((word) => (
          <span key={word} class="button">
            {word}
          </span>
        ))}
      </div>
      <p data-testid="out">{text.play.out}</p>
    </section>
  );
}

interface AskProps extends ControlsProps {
  readonly request: Request;
  /** Set if the request is possible. */
  readonly possible: boolean;
  /** Called instead of sending the request at once. */
  readonly onAsk?: () => void;
}

/** Asks all others for their consent; rests while such a request is open. */
function Ask({ store, state, request, possible, onAsk }: AskProps): JSX.Element {
  const open = state.state.requests?.some((one) => one.request === request) === true;
  return (
    <button
      type="button"
      class="button"
      data-testid={`${request}-ask`}
      disabled={open || !possible}
      onClick={onAsk ?? (() => void store.request(request, 'ask'))}
    >
      {text.requests[request].ask}
    </button>
  );
}
