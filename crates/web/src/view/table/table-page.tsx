import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { TableId } from '../../protocol/generated.ts';
import { ReplayCursor } from '../../store/replay-cursor.ts';
import { takeTableSecrets, type TableSecrets } from '../../store/table-secrets.ts';
import { tabPersistence } from '../../store/persistence.ts';
import { TableStore, type Unavailable } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { PostGame } from './post-game.tsx';
import { Announcer } from './announcer.tsx';
import { BoardArea } from './board-area.tsx';
import { BoardBar } from './board-bar.tsx';
import { ConfirmMove } from './confirm-move.tsx';
import { Controls } from './controls.tsx';
import { TableInfo } from './table-info.tsx';
import { Hotseat } from './hotseat.tsx';
import { KeysHelp } from './keys-help.tsx';
import { MoveInput } from './move-input.tsx';
import { MovesAndChat } from './moves-and-chat.tsx';
import { usePageKeys } from './page-keys.ts';
import { Playing } from './playing.ts';
import { PrivateLinks } from './private-links.tsx';
import { Prompt } from './prompt.tsx';
import { Requests } from './requests.tsx';
import { ResultCard } from './result.tsx';
import { Status } from './status.tsx';
import { useSounds } from './use-sounds.ts';
import { useTurnAlert } from './use-turn-alert.ts';

/** A table: its board, its seats, what is said about them and what one may do. */
export function TablePage({ table }: { table: TableId }): JSX.Element {
  const client = useClient();
  const keys = useKeys(table);
  useEffect(() => {
    const isGuest = keys.invite !== undefined || keys.watch !== undefined;
    if (isGuest && !tabPersistence.isPermanent()) client.notify({ kind: 'links_not_stored' }, null);
  }, [client, keys]);
  const store = useMemo(() => new TableStore(client, table, keys), [client, table, keys]);
  const playing = useMemo(() => new Playing(store, client.preferences.confirm), [client, store]);
  const cursor = useMemo(() => new ReplayCursor(store.state), [store]);
  useEffect(() => store.follow(), [store]);
  useEffect(() => () => cursor.dispose(), [cursor]);
  const [quarters, setQuarters] = useState(0);
  const [helping, setHelping] = useState(false);
  // A square board has seats on two sides alone.
  const step = store.state.value?.board.holes.length === 0 ? 2 : 1;
  const turn = useCallback(() => setQuarters((turned) => turned + step), [step]);
  const help = useCallback(() => setHelping(true), []);
  usePageKeys({ cursor, turn, help });

  const state = store.state.value;
  const unavailable = store.unavailable.value;
  useSounds(state);
  useTurnAlert(state);

  if (state === null || hasEnded(unavailable)) return <Blank unavailable={unavailable} />;
  return (
    <main id="content" class="table-page" data-cut={state.board.holes.length > 0}>
      <Status store={store} state={state} cursor={cursor} />
      <BoardArea store={store} state={state} playing={playing} cursor={cursor} quarters={quarters} />
      <BoardBar state={state} cursor={cursor} onTurn={turn} onHelp={help} />
      <div class="panel">
        <ResultCard state={state} />
        <PostGame store={store} state={state} />
        <Prompt store={store} state={state} />
        <Controls store={store} state={state} />
        <Hotseat state={state} />
        <MoveInput playing={playing} state={state} />
        <MovesAndChat store={store} state={state} cursor={cursor} />
        <TableInfo state={state} />
        {state.state.phase === 'running' && <PrivateLinks store={store} state={state} />}
      </div>
      <ConfirmMove playing={playing} />
      <Requests store={store} state={state} />
      <Announcer state={state} />
      {helping && <KeysHelp onClose={() => setHelping(false)} />}
    </main>
  );
}

/** The table's keys: those in the address, also when a link is pasted while the page is open, else those kept. */
function useKeys(table: TableId): TableSecrets {
  const [keys, setKeys] = useState(() => takeTableSecrets(table, location, history, tabPersistence));
  useEffect(() => {
    const read = (): void =>
      setKeys((known) => {
        const now = takeTableSecrets(table, location, history, tabPersistence);
        return now.invite === known.invite && now.watch === known.watch ? known : now;
      });
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [table]);
  return keys;
}

/** Returns whether the host has ended what this page was allowed to follow: by a kick, or with the link. */
function hasEnded(unavailable: Unavailable | null): boolean {
  return unavailable?.code === 'kicked' || unavailable?.code === 'bad_invite';
}

/** Before the table is there, or when it never will be, or no longer is. */
function Blank({ unavailable }: { unavailable: Unavailable | null }): JSX.Element {
  if (unavailable === null) {
    return (
      <main id="content" class="empty-page" aria-busy="true">
        <p class="quiet">{text.table.loading}</p>
      </main>
    );
  }
  const hidden = unavailable.code === 'not_found';
  return (
    <main id="content" class="empty-page" data-testid="missing" data-code={unavailable.code}>
      <h1>{hasEnded(unavailable) ? text.table.left : text.table.missing}</h1>
      <p>{hidden ? text.table.missingHint : text.refusal(unavailable.code, unavailable.message)}</p>
      <a class="button primary" href="/">
        {text.toLobby}
      </a>
    </main>
  );
}
