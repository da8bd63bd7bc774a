import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';

/**
 * The reason why the viewer gets no seat: the host has kicked the viewer, or the invite gave no
 * seat.
 */
export function SeatRefused({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  if (state.viewerSeat !== null) return null;
  if (state.isKicked && state.state.phase === 'open') {
    return (
      <section class="card" data-testid="kicked" role="status">
        <h2>{text.invite.kicked}</h2>
        <p class="quiet">{text.invite.kickedHint}</p>
        <a class="button" href="/">
          {text.toLobby}
        </a>
      </section>
    );
  }
  const code = store.seatRefusal.value;
  if (code === null) return null;
  return (
    <section class="card" data-testid="no-seat" data-code={code} role="status">
      <h2>{text.invite.noSeat}</h2>
      <p class="quiet">
        {text.invite.refusals[code] ?? text.refusal(code, '')} {text.invite.watching}
      </p>
      {store.maySit && (
        <button type="button" class="button" data-testid="sit-any" onClick={() => void store.sit(null)}>
          {text.table.sitAny}
        </button>
      )}
    </section>
  );
}
