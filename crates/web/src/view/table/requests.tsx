import type { JSX } from 'preact';
import type { RequestView } from '../../protocol/generated.ts';
import { onlySeat } from '../../store/own-seats.ts';
import { isActive, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Agreement } from './agreement.tsx';

interface RequestsProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/**
 * The open requests with their agreements, and the buttons of the players who have not answered.
 */
export function Requests({ store, state }: RequestsProps): JSX.Element | null {
  const open = state.state.requests ?? [];
  if (open.length === 0) return null;
  return (
    <ul class="requests" tabIndex={0} aria-label={text.request.open}>
      {open.map((request) => (
        <OpenRequest key={request.request} store={store} state={state} open={request} />
      ))}
    </ul>
  );
}

function OpenRequest({ store, state, open }: RequestsProps & { open: RequestView }): JSX.Element {
  const words = text.requests[open.request];
  const mustAnswer = state.ownSeats.some((color) => isActive(state, color) && !open.agreed.includes(color));
  return (
    <li class="request" data-testid={`request-${open.request}`} data-color={open.by} data-asked={mustAnswer}>
      <div class="request-details">
        <span>{open.by === onlySeat(state) ? words.ownRequest : words.sentences.requested(open.by)}</span>
        <Agreement asked={state.state.active_players} agreed={open.agreed} />
      </div>
      {mustAnswer && (
        <div class="buttons">
          <button
            type="button"
            class="button primary"
            data-testid={`${open.request}-accept`}
            onClick={() => void store.request(open.request, 'accept')}
          >
            {words.accept}
          </button>
          <button
            type="button"
            class="button"
            data-testid={`${open.request}-decline`}
            onClick={() => void store.request(open.request, 'decline')}
          >
            {words.decline}
          </button>
        </div>
      )}
    </li>
  );
}
