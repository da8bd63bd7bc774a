import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { TableId } from '../../protocol/generated.ts';
import { ReplayCursor } from '../../store/replay-cursor.ts';
import { takeTableSecrets, type TableSecrets } from '../../store/table-secrets.ts';
import { tabPersistence } from '../../store/persistence.ts';
import { TableStore, type Unavailable } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useStableElements } from '../stable-elements.ts';
import { Announcer } from './announcer.tsx';
import { BoardArea, bottomSide } from './board-area.tsx';
import { BoardBar } from './board-bar.tsx';
import { ConfirmMove } from './confirm-move.tsx';
import { KeysHelp } from './keys-help.tsx';
import { usePageKeys } from './page-keys.ts';
import { MoveInputState } from './move-input-state.ts';
import { Notes } from './notes.ts';
import { Panel } from './panel.tsx';
import { useRenderSteps } from './render-steps.ts';
import { Requests } from './requests.tsx';
import { Status } from './status.tsx';
import { useInvitedSeat } from './use-invited-seat.ts';
import { useEnPassantNotice } from './use-en-passant-notice.ts';
import { useNextGame } from './use-next-game.ts';
import { useSeenNotifications } from './use-seen-notifications.ts';
import { useSounds } from './use-sounds.ts';
import { useTurnAlert } from './use-turn-alert.ts';
import { useZen } from './use-zen.ts';
import { ZenLeave } from './zen-leave.tsx';

/** The page of a table. */
export function TablePage({ table }: { table: TableId }): JSX.Element {
  const client = useClient();
  const secrets = useTableSecrets(table);
  useEffect(() => {
    const cameByLink = secrets.invite !== undefined || secrets.watch !== undefined;
    if (cameByLink && !tabPersistence.isPermanent()) client.notify({ kind: 'links_not_stored' }, null);
  }, [client, secrets]);
  const store = useMemo(() => new TableStore(client, table, secrets), [client, table, secrets]);
  const input = useMemo(() => new MoveInputState(store, client.preferences.confirm), [client, store]);
  const notes = useMemo(() => new Notes(), []);
  const cursor = useMemo(() => new ReplayCursor(store.state), [store]);
  const attempt = store.watchAttempt.value;
  useEffect(() => store.follow(), [store, attempt]);
  useInvitedSeat(store);
  useSeenNotifications(table);
  useNextGame(table);
  useEffect(() => () => cursor.dispose(), [cursor]);
  const [quarterTurns, setQuarterTurns] = useState(0);
  const [isHelpOpen, setHelpOpen] = useState(false);
  // A board without holes has seats on two sides only, so it turns by half turns.
  const turnStep = store.state.value?.board.holes.length === 0 ? 2 : 1;
  const turnBoard = useCallback(() => setQuarterTurns((turns) => turns + turnStep), [turnStep]);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const state = store.state.value;
  const { seats, banner, panel } = useRenderSteps(state);
  const stable = useStableElements();
  const zen = useZen(state);
  usePageKeys({ cursor, turnBoard, openHelp, toggleZen: zen.toggle });

  const unavailable = store.unavailable.value;
  useSounds(state);
  useTurnAlert(panel, notes.unread.value);
  useEnPassantNotice(state);

  if (state === null || seats === null || banner === null || panel === null || isAccessRevoked(unavailable)) {
    return <TablePlaceholder unavailable={store.awaitsInvitedSeat.value ? null : unavailable} wasOpen={state !== null} />;
  }
  const bottom = bottomSide(panel, client.preferences.turnsBoard.value, quarterTurns);
  return (
    <main id="content" class="table-page" data-cut={state.board.holes.length > 0}>
      <ZenLeave zen={zen} />
      {stable('status', [store, banner, cursor, input, notes], () => (
        <Status store={store} state={banner} cursor={cursor} input={input} notes={notes} />
      ))}
      {stable('board', [store, state, seats, banner, input, cursor, quarterTurns], () => (
        <BoardArea store={store} state={state} seatState={seats} bannerState={banner} input={input} cursor={cursor} quarterTurns={quarterTurns} />
      ))}
      {stable('bar', [panel, cursor, turnBoard, openHelp, zen.isOn, zen.isPossible, zen.toggle], () => (
        <BoardBar state={panel} cursor={cursor} onTurnBoard={turnBoard} onHelp={openHelp} zen={zen} />
      ))}
      {stable('panel', [store, panel, input, cursor, notes], () => (
        <Panel store={store} state={panel} input={input} cursor={cursor} notes={notes} />
      ))}
      <ConfirmMove input={input} />
      {stable('requests', [store, banner], () => (
        <Requests store={store} state={banner} />
      ))}
      {stable('announcer', [panel, bottom], () => (
        <Announcer state={panel} bottom={bottom} />
      ))}
      {isHelpOpen && <KeysHelp variant={state.settings.variant} onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

/**
 * Returns the secrets of a table from the address, or else from this tab's storage. This also works
 * for a link that is pasted into the address of the open page.
 */
function useTableSecrets(table: TableId): TableSecrets {
  const [secrets, setSecrets] = useState(() => takeTableSecrets(table, location, history, tabPersistence));
  useEffect(() => {
    const read = (): void =>
      setSecrets((previous) => {
        const current = takeTableSecrets(table, location, history, tabPersistence);
        const isKnown = current.invite === previous.invite && current.watch === previous.watch && current.isNewInvite !== true;
        return isKnown ? previous : current;
      });
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [table]);
  return secrets;
}

/**
 * Returns whether the host has ended the access of this page, by a kick or by revoking the link.
 */
function isAccessRevoked(unavailable: Unavailable | null): boolean {
  return unavailable?.code === 'kicked' || unavailable?.code === 'bad_invite';
}

/** The page of a table that is loading, missing or no longer accessible. */
function TablePlaceholder({ unavailable, wasOpen }: { unavailable: Unavailable | null; wasOpen: boolean }): JSX.Element {
  if (unavailable === null) {
    return (
      <main id="content" class="empty-page" aria-busy="true">
        <p class="quiet">{text.table.loading}</p>
      </main>
    );
  }
  const { title, hint } = reasonOf(unavailable, wasOpen);
  return (
    <main id="content" class="empty-page" data-testid="missing" data-code={unavailable.code}>
      <h1>{title}</h1>
      <p>{hint}</p>
      <a class="button primary" href="/">
        {text.toLobby}
      </a>
    </main>
  );
}

/**
 * Returns the reason why a table is not shown. If the server refuses a link before the table was
 * ever displayed, the link has been used up.
 */
function reasonOf({ code, message }: Unavailable, wasOpen: boolean): { readonly title: string; readonly hint: string } {
  if (code === 'not_found') return { title: text.table.notFound, hint: text.table.notFoundHint };
  if (code === 'bad_invite' && !wasOpen) return { title: text.invite.linkUnusable, hint: text.invite.linkUnusableHint };
  const hasEndedHere = code === 'kicked' || code === 'bad_invite' || code === 'forbidden';
  return { title: hasEndedHere ? text.table.accessEnded : text.table.notFound, hint: text.refusal(code, message) };
}
