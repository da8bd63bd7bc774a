import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Request } from '../../protocol/generated.ts';
import { mayClaimDrawWithMove } from '../../store/claims.ts';
import { requestingSeat } from '../../store/own-seats.ts';
import { canTakeBack, isActive, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Eliminated } from './eliminated.tsx';
import { Resign } from './resign.tsx';

interface ControlsProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The actions of a remaining player besides moving: requests, draw claims, resignation. */
export function Controls({ store, state }: ControlsProps): JSX.Element | null {
  const [dialog, setDialog] = useState<'resign' | 'abort' | null>(null);
  const mayClaimWithMove = useMemo(() => mayClaimDrawWithMove(state), [state]);
  const { viewerSeat } = state;
  const { phase, can_claim_draw, turn, suspension } = state.state;
  if (viewerSeat === null || phase !== 'running') return null;
  if (!isActive(state, viewerSeat)) return <Eliminated state={state} />;
  const takebackSeat = requestingSeat(state, 'takeback') ?? viewerSeat;
  const mayClaimNow = turn === viewerSeat && suspension === undefined;
  return (
    <section class="controls">
      <div class="buttons">
        <RequestButton store={store} state={state} request="draw" isPossible />
        {!state.settings.rated && (
          <>
            <RequestButton store={store} state={state} request="takeback" isPossible={canTakeBack(state, takebackSeat)} />
            <RequestButton store={store} state={state} request="pause" isPossible={suspension === undefined} />
          </>
        )}
        <RequestButton store={store} state={state} request="abort" isPossible onAsk={() => setDialog('abort')} />
        <button type="button" class="button" data-testid="resign" onClick={() => setDialog('resign')}>
          {text.play.resign}
        </button>
      </div>
      {mayClaimNow && (can_claim_draw || mayClaimWithMove) && (
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
      {dialog === 'resign' && <Resign store={store} state={state} onClose={() => setDialog(null)} />}
      {dialog === 'abort' && (
        <ConfirmDialog
          title={text.request.abortTitle}
          confirmLabel={text.request.abortAsk}
          cancelLabel={text.play.keepPlaying}
          testId="abort-confirm"
          onConfirm={() => void store.request('abort', 'ask')}
          onClose={() => setDialog(null)}
        >
          {text.request.abortHint}
        </ConfirmDialog>
      )}
    </section>
  );
}

interface RequestButtonProps extends ControlsProps {
  readonly request: Request;
  /** Set if the request is possible. */
  readonly isPossible: boolean;
  /** Called instead of sending the request. */
  readonly onAsk?: () => void;
}

/**
 * A button that requests the consent of the other players. It is disabled while a request of the
 * same kind is open.
 */
function RequestButton({ store, state, request, isPossible, onAsk }: RequestButtonProps): JSX.Element {
  const isOpen = state.state.requests?.some((one) => one.request === request) === true;
  return (
    <button
      type="button"
      class="button"
      data-testid={`${request}-ask`}
      disabled={isOpen || !isPossible}
      onClick={onAsk ?? (() => void store.request(request, 'ask'))}
    >
      {text.requests[request].ask}
    </button>
  );
}
