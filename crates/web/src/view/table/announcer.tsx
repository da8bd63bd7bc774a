import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import { headline, eventSentence } from '../../text/sentence.ts';

/** The number of events in the log. Several may arrive at once. */
const SHOWN_EVENTS = 4;

/** A log of events for screen readers, which read out each new entry. */
export function Announcer({ state }: { state: TableState }): JSX.Element {
  return (
    <div class="visually-hidden" role="log" aria-live="polite" data-testid="announcer">
      {state.history.filter(({ event }) => event.type !== 'message_sent').slice(-SHOWN_EVENTS).map((entry) => (
        <p key={entry.seq}>{entry.event.type === 'ended' ? headline(state) : eventSentence(entry, state)}</p>
      ))}
    </div>
  );
}
