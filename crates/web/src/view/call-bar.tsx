import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TableId } from '../protocol/generated.ts';
import { afterOpening, callKey, callsTo, type Call } from '../store/own-tables.ts';
import { text } from '../text/index.ts';
import { nameOf } from '../text/name-of.ts';
import { useClient } from './context.ts';
import { notify as showNotification } from './notifications.ts';
import { goTo, type Page } from './router.ts';
import { clockText } from './table/clock.tsx';
import { useCallSounds } from './table/call-sounds.ts';
import { useSoundPlayer } from './table/use-sounds.ts';
import { useTimer } from './table/use-timer.ts';
import { useTitleAlert } from './title.ts';

/** Interval between two readings of the time left, in milliseconds. */
const TICK_MS = 250;
const HOUR_MS = 3_600_000;

/**
 * The bar on all other pages that calls the user to a match which has started or in which it is the
 * user's turn.
 */
export function CallBar({ page }: { page: Page }): JSX.Element | null {
  const client = useClient();
  const dismissed = useSignal<readonly string[]>([]);
  const open = page.kind === 'table' ? page.table : null;
  useOpening(open);
  const all = callsTo(client.ownTables.value, client.user.value?.id ?? null, open);
  useCallAlerts(all, page.kind === 'lobby');
  // Beside a board where the user has to move, other matches with plenty of time do not cover it.
  const mayMoveHere = client.ownTables.value?.some(({ table, your_move }) => table === open && your_move) === true;
  const calls = all.filter((call) => !dismissed.value.includes(callKey(call)) && !(mayMoveHere && hasPlentyOfTime(call)));
  const [call] = calls;
  // The page of own games lists what the bar would name.
  const isListed = page.kind === 'games';
  const isCalled = call !== undefined && !isListed;
  useLayoutEffect(() => {
    document.documentElement.dataset['called'] = String(isCalled);
  }, [isCalled]);
  useTitleAlert(call === undefined ? null : wordsOf(call), calls.length);
  return (
    <div class="call-place" role="status">
      {call !== undefined && !isListed && (
        <div class="call" data-testid="call" data-kind={call.kind} data-table={call.table.table}>
          <a class="call-link" href={`/t/${call.table.table}`}>
            <span class="call-words">{wordsOf(call)}</span>
            <TimeLeft deadline_ms={call.table.deadline_ms} />
            <span class="call-game">
              <span class="call-match">{text.calls.inMatch(call.table.settings.variant, othersAt(call, client.user.value?.id))}</span>
              {calls.length > 1 && <span class="call-more">{text.calls.more(calls.length - 1)}</span>}
            </span>
            <span class="call-go" aria-hidden="true">
              {text.calls.goToMatch}
            </span>
          </a>
          <button
            type="button"
            class="call-close"
            data-testid="call-close"
            aria-label={text.dismiss}
            onClick={() => {
              dismissed.value = [...dismissed.value, callKey(call)];
            }}
          >
            ×
          </button>
        </div>
      )}
    </div>
  );
}

function hasPlentyOfTime({ kind, table }: Call): boolean {
  return kind === 'move' && table.deadline_ms !== null && table.deadline_ms - performance.now() >= HOUR_MS;
}

/** The time left. It counts down on the screen, but screen readers do not announce it. */
function TimeLeft({ deadline_ms }: { deadline_ms: number | null }): JSX.Element | null {
  useTimer(deadline_ms !== null, TICK_MS);
  if (deadline_ms === null) return null;
  const left = Math.max(0, deadline_ms - performance.now());
  return (
    <span class="call-time" data-testid="call-time" aria-hidden="true">
      {left < HOUR_MS ? clockText(left) : text.games.left(left)}
    </span>
  );
}

/** Records that the user has opened a table, so the start of its match is no longer announced. */
function useOpening(open: TableId | null): void {
  const { ownTables } = useClient();
  const tables = ownTables.value;
  useEffect(() => {
    if (open !== null) ownTables.value = afterOpening(ownTables.peek(), open);
  }, [open, ownTables, tables]);
}

/**
 * Handles calls that arrive while the page is open: plays a sound, displays a notification, and
 * opens a match that starts while the user is in the lobby.
 */
function useCallAlerts(calls: readonly Call[], isLobby: boolean): void {
  const client = useClient();
  const { sound, notify } = client.preferences;
  const sounds = useCallSounds(useSoundPlayer());
  const lastKeys = useRef<ReadonlySet<string> | null>(null);
  const tables = client.ownTables.value;
  useEffect(() => {
    if (tables === null) return;
    const before = lastKeys.current;
    lastKeys.current = new Set(calls.map(callKey));
    const news = before === null ? [] : calls.filter((call) => !before.has(callKey(call)));
    // If several calls arrive at once, only the most urgent call has a sound.
    const [first] = news;
    if (sound.value && first !== undefined) void sounds.play(callKey(first), [first.kind === 'move' ? 'own_turn' : 'start']);
    if (document.hidden && notify.value) for (const call of news) void notifyOfCall(call, client.user.value?.id);
    const started = calls.find(({ table }) => table.hasJustStarted);
    // A user in the lobby waits for this, so the match is opened at once, unless a dialog is open.
    if (started !== undefined && isLobby && document.querySelector('dialog[open]') === null) goTo(`/t/${started.table.table}`);
  });
}

/** Displays a notification of a call until the page is visible. */
async function notifyOfCall(call: Call, user: string | undefined): Promise<void> {
  const path = `/t/${call.table.table}`;
  const body = text.calls.inMatch(call.table.settings.variant, othersAt(call, user));
  const close = await showNotification({ title: wordsOf(call), body, tag: call.table.table, path }, () => {
    window.focus();
    goTo(path);
  });
  if (close === null) return;
  if (document.hidden) document.addEventListener('visibilitychange', close, { once: true });
  else close();
}

function wordsOf({ kind }: Call): string {
  return kind === 'move' ? text.table.yourMove : text.calls.started;
}

/** Returns the names of the other players. */
function othersAt({ table }: Call, user: string | undefined): readonly string[] {
  const others = table.seats.filter((seat) => seat.user !== null && seat.user.id !== user);
  return [...new Set(others.map((seat) => seat.user === null ? '' : nameOf(seat.user)))];
}
