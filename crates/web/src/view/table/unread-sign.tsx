import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import type { Notes } from './notes.ts';

/** The number of new messages, on screens where the chat is not visible. A press shows the chat. */
export function UnreadSign({ notes }: { notes: Notes }): JSX.Element | null {
  const count = notes.unread.value;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="unread-sign"
      data-testid="unread-sign"
      data-count={count}
      aria-label={`${text.table.newMessages(count)}. ${text.replayControls.openChat}`}
      title={text.table.newMessages(count)}
      onClick={() => notes.openChat()}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 5h16v11H10l-5 4v-4H4z" />
      </svg>
      <span aria-hidden="true">{count}</span>
    </button>
  );
}
