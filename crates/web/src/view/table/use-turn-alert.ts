import { useEffect, useRef } from 'preact/hooks';
import { viewersTurnBegins } from '../../store/sound-events.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline, lastSentence } from '../../text/sentence.ts';
import { useClient } from '../context.ts';
import { notify as showNotification, type NotificationContent } from '../notifications.ts';

/** Interval of the title's changes while the user is waited for, milliseconds. */
const FLASH_MS = 1_000;

/**
 * Shows the state of the match in the page's title, and notifies a user who is waited for and does
 * not see the page.
 */
export function useTurnAlert(state: TableState | null): void {
  const { notify } = useClient().preferences;
  useEffect(() => {
    const mine = state !== null && state.state.turn !== undefined && state.state.turn === state.you;
    let odd = false;
    const show = (): void => {
      const called = mine && document.hidden;
      odd = called && !odd;
      document.title = titleOf(state, mine, odd);
    };
    show();
    const timer = mine ? setInterval(show, FLASH_MS) : undefined;
    document.addEventListener('visibilitychange', show);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', show);
      document.title = text.brand;
    };
  }, [state]);

  const before = useRef<TableState | null>(null);
  useEffect(() => {
    if (state === null) return;
    const called = viewersTurnBegins(before.current, state);
    before.current = state;
    if (!called || !document.hidden || !notify.value) return;
    void summon({ title: text.table.yourMove, body: lastSentence(state), tag: state.table });
  }, [state, notify]);
}

/** Shows a notification until the page is seen. */
async function summon(message: NotificationContent): Promise<void> {
  const close = await showNotification(message, () => window.focus());
  if (close === null) return;
  if (document.hidden) document.addEventListener('visibilitychange', close, { once: true });
  else close();
}

function titleOf(state: TableState | null, mine: boolean, odd: boolean): string {
  if (state === null) return text.brand;
  if (odd) return `▶▶ ${text.table.yourMove}`;
  return `${mine ? '● ' : ''}${headline(state)} · ${text.brand}`;
}
