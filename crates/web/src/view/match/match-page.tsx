import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { MatchId, Move } from '../../protocol/generated.ts';
import { replaceAddress } from '../../store/address.ts';
import type { Api } from '../../store/api.ts';
import { LINE_COUNT, type EnginePosition } from '../../store/engine.ts';
import { ReplayCursor } from '../../store/replay-cursor.ts';
import { stateOfMatch } from '../../store/match-view.ts';
import { moveTimes } from '../../store/move-times.ts';
import { Notation } from '../../store/notation.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline } from '../../text/sentence.ts';
import { errorText } from '../../text/error-text.ts';
import { useClient } from '../context.ts';
import { EngineCard } from '../engine/engine-card.tsx';
import { useEngine } from '../engine/use-engine.ts';
import { BoardBar } from '../table/board-bar.tsx';
import { KeysHelp } from '../table/keys-help.tsx';
import { MoveList } from '../table/move-list.tsx';
import { usePageKeys } from '../table/page-keys.ts';
import { ResultCard } from '../table/result.tsx';
import { useTitle } from '../title.ts';
import { Exports } from './exports.tsx';
import { ReplayBoard } from './replay-board.tsx';
import { ReplayStatus } from './replay-status.tsx';
import { Timeline } from './timeline.tsx';

interface MatchPageProps {
  readonly match: MatchId;
  /** After how many moves it is shown at first; as it ended if nothing is said. */
  readonly ply: number | null;
}

/**
 * A match, replayed move by move. The address contains the current ply, so that it can be shared.
 */
export function MatchPage({ match, ply }: MatchPageProps): JSX.Element {
  const client = useClient();
  const me = client.user.value?.id;
  const state = useMemo(() => signal<TableState | null>(null), []);
  const cursor = useMemo(() => new ReplayCursor(state), [state]);
  const [failed, fail] = useState<Error | null>(null);
  const [asked, ask] = useState(0);
  useEffect(() => {
    let wanted = true;
    client.api.match(match).then(
      (view) => {
        if (wanted) state.value = stateOfMatch(view, performance.now());
      },
      (error: unknown) => {
        if (wanted && error instanceof Error) fail(error);
      },
    );
    return () => {
      wanted = false;
    };
  }, [client, match, me, asked, state]);
  useEffect(() => () => cursor.dispose(), [cursor]);
  const loaded = state.value;

  if (loaded !== null) return <Replay key={loaded.match} state={loaded} cursor={cursor} ply={ply} />;
  if (failed === null) {
    return (
      <main id="content" class="empty-page" aria-busy="true">
        <p class="quiet">{text.replay.loading}</p>
      </main>
    );
  }
  const again = (): void => {
    fail(null);
    ask((times) => times + 1);
  };
  return <NotThere error={failed} onAgain={again} />;
}

interface ReplayProps {
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  readonly ply: number | null;
}

function Replay({ state, cursor, ply: wanted }: ReplayProps): JSX.Element {
  const client = useClient();
  const [quarters, setQuarters] = useState(0);
  const [helping, setHelping] = useState(false);
  const step = state.board.holes.length === 0 ? 2 : 1;
  const turn = useCallback(() => setQuarters((turned) => turned + step), [step]);
  const help = useCallback(() => setHelping(true), []);
  usePageKeys({ cursor, turn, help });
  useTitle(headline(state));
  // What the address asks for is shown before anything else is, and whoever goes back in the browser is taken along.
  useLayoutEffect(() => {
    if (wanted === null) cursor.live();
    else cursor.goTo(wanted);
  }, [cursor, wanted]);
  const ply = cursor.ply.value;
  useLayoutEffect(() => keepInAddress(state.match, ply), [state.match, ply]);
  const shown = cursor.shown.value ?? state;
  const notation = useMemo(() => new Notation(client.api, state.match), [client, state]);
  const engine = useEngine(placeOf(client.api, notation, state, shown));
  const at = ply ?? state.plies.length;
  const times = useMemo(() => moveTimes(state.history), [state]);
  return (
    <main id="content" class="table-page replay" data-cut={state.board.holes.length > 0} data-testid="replay" data-ply={at}>
      <ReplayStatus state={state} shown={shown} />
      <ReplayBoard shown={shown} quarters={quarters} thought={engine.thought} />
      <BoardBar state={state} cursor={cursor} onTurn={turn} onHelp={help} />
      <div class="panel">
        <Timeline state={state} cursor={cursor} />
        <EngineCard engine={engine} following={{ kind: 'link', link: (moves) => analysisOf(state.match, at, moves) }} />
        <div class="notes">
          <MoveList state={state} cursor={cursor} times={times} />
        </div>
        <ResultCard state={state} />
        <Exports state={state} ply={at} />
      </div>
      {helping && <KeysHelp onClose={() => setHelping(false)} />}
    </main>
  );
}

/**
 * Returns the shown position in the form that the engine is asked about: the written match up to
 * there.
 */
function placeOf(api: Api, notation: Notation, { match }: TableState, shown: TableState): EnginePosition {
  if (shown.state.turn === undefined) return { kind: 'over' };
  const plies = shown.plies.length;
  return {
    kind: 'known',
    key: `${match} ${plies}`,
    request: async (until) => api.analyse({ setup: { kind: 'text', text: await notation.text(), plies }, lines: LINE_COUNT }, until),
  };
}

/** The analysis page at a place of a match, with moves tried from there. */
function analysisOf(match: MatchId, ply: number, moves: readonly Move[]): string {
  return `/analysis?${new URLSearchParams({ match, ply: String(ply), moves: moves.join('-') }).toString()}`;
}

/** The place in the match stands in the address; where it ends nothing need be said. */
function keepInAddress(match: MatchId, ply: number | null): void {
  const path = `/m/${match}`;
  // The page may be on its way to another one.
  if (location.pathname.toLowerCase() !== path) return;
  const address = ply === null ? path : `${path}?ply=${ply}`;
  if (location.pathname + location.search !== address) replaceAddress(history, address);
}

function NotThere({ error, onAgain }: { error: Error; onAgain: () => void }): JSX.Element {
  const missing = error instanceof Refusal && error.code === 'not_found';
  return (
    <main id="content" class="empty-page" data-testid="missing">
      <h1>{missing ? text.replay.missing : text.notLoaded.title}</h1>
      <p>{missing ? text.table.missingHint : errorText(error)}</p>
      {missing ? (
        <a class="button primary" href="/archive">
          {text.archive.showAll}
        </a>
      ) : (
        <button type="button" class="button primary" data-testid="again" onClick={onAgain}>
          {text.archive.again}
        </button>
      )}
    </main>
  );
}
