import { useEffect, useRef } from 'preact/hooks';
import { viewersTurnBegins } from '../../store/sound-events.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline, lastSentence } from '../../text/sentence.ts';
import { useClient } from '../context.ts';
import { notify as showNotification, type NotificationContent } from '../notifications.ts';
import { setTitle, setTurnBadge } from '../title.ts';

/** The interval at which the title of a hidden page changes on the user's turn, in milliseconds. */
const FLASH_MS = 1_000;

/**
 * Shows the state of the match in the page's title. If the page is hidden at the start of the
 * user's turn, it also displays a notification.
 */
export function useTurnAlert(state: TableState | null, unread: number): void {
  const { notify } = useClient().preferences;
  useEffect(() => {
    const isOwnTurn = state !== null && state.state.turn !== undefined && state.state.turn === state.viewerSeat;
    let isHighlighted = false;
    const updateTitle = (): void => {
      const called = isOwnTurn && document.hidden;
      isHighlighted = called && !isHighlighted;
      setTurnBadge(called);
      setTitle(`${unread === 0 ? '' : `(${unread}) `}${pageTitle(state, isOwnTurn, isHighlighted)}`);
    };
    updateTitle();
    const timer = isOwnTurn ? setInterval(updateTitle, FLASH_MS) : undefined;
    document.addEventListener('visibilitychange', updateTitle);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', updateTitle);
    };
  }, [state, unread]);
  useEffect(
    () => () => {
      setTurnBadge(false);
      setTitle(null);
    },
    [],
  );

  const before = useRef<TableState | null>(null);
  useEffect(() => {
    if (state === null) return;
    const called = viewersTurnBegins(before.current, state);
    before.current = state;
    if (!called || !document.hidden || !notify.value) return;
    void notifyUntilSeen({ title: text.table.yourMove, body: lastSentence(state), tag: state.table, path: `/t/${state.table}` });
  }, [state, notify]);
}

/** Displays a notification until the page is visible. */
async function notifyUntilSeen(message: NotificationContent): Promise<void> {
  const close = await showNotification(message, () => window.focus());
  if (close === null) return;
  if (document.hidden) document.addEventListener('visibilitychange', close, { once: true });
  else close();
}

function pageTitle(state: TableState | null, isOwnTurn: boolean, isHighlighted: boolean): string {
  if (state === null) return text.brand;
  if (isHighlighted) return `▶▶ ${text.table.yourMove}`;
  return `${isOwnTurn ? '● ' : ''}${headline(state)} · ${text.brand}`;
}
