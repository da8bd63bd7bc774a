import { signal } from '@preact/signals';

/** The two lists of a table's page: the moves and the chat. */
export type NotesTab = 'moves' | 'chat';

/** The list that is shown, and the number of messages that the viewer has not seen. */
export class Notes {
  readonly chosen = signal<NotesTab>('moves');
  readonly unread = signal(0);

  /** Shows the chat and brings it into view. */
  openChat(): void {
    this.chosen.value = 'chat';
    document.getElementById('notes')?.scrollIntoView({ block: 'nearest' });
  }
}
