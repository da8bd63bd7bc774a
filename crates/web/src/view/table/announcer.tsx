import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import { headline, eventSentence } from '../../text/sentence.ts';

/** Number of events that stay in the log: several may come at once. */
const KEPT = 4;

/** Announces events to screen readers: what is added is read out. */
export function Announcer({ state }: { state: TableState }): JSX.Element {
  return (
    <div class="visually-hidden" role="log" aria-live="polite" data-testid="announcer">
      {state.history.filter(({ event }) => event.type !== 'message_sent').slice(-KEPT).map((entry) => (
        <p key={entry.seq}>{entry.event.type === 'ended' ? headline(state) : eventSentence(entry, state)}</p>
      ))}
    </div>
  );
}
