import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { MatchId, MatchView, Move } from '../../protocol/generated.ts';
import { replaceAddress } from '../../store/address.ts';
import type { Api } from '../../store/api.ts';
import { LINE_COUNT, type EnginePosition } from '../../store/engine.ts';
import { ReplayCursor } from '../../store/replay-cursor.ts';
import { stateOfMatch } from '../../store/match-view.ts';
import { swingAt, type MatchReview } from '../../store/match-review.ts';
import { MatchShare } from '../../store/match-share.ts';
import { moveTimes } from '../../store/move-times.ts';
import { Notation } from '../../store/notation.ts';
import { shareSecretOf, takeShareSecret } from '../../store/share-links.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline } from '../../text/sentence.ts';
import { errorText } from '../../text/error-text.ts';
import { useClient } from '../context.ts';
import { bestMoveArrow, moveArrow } from '../engine/evaluation-text.ts';
import { EngineCard } from '../engine/engine-card.tsx';
import { useEngine } from '../engine/use-engine.ts';
import { ReviewCard } from '../review/review-card.tsx';
import { useReview } from '../review/use-review.ts';
import { BoardBar } from '../table/board-bar.tsx';
import { KeysHelp } from '../table/keys-help.tsx';
import { MoveList } from '../table/move-list.tsx';
import { usePageKeys } from '../table/page-keys.ts';
import { ResultCard } from '../table/result-card.tsx';
import { useTitle } from '../title.ts';
import { Exports } from './exports.tsx';
import { ReplayBoard } from './replay-board.tsx';
import { ReplayStatus } from './replay-status.tsx';
import { Timeline } from './timeline.tsx';

interface MatchPageProps {
  readonly match: MatchId;
  /** The number of moves before the first displayed position; `null` for the final position. */
  readonly ply: number | null;
}

/**
 * The page of a match, replayed move by move. The address contains the displayed ply, so that it
 * can be shared.
 */
export function MatchPage({ match, ply }: MatchPageProps): JSX.Element {
  const client = useClient();
  const me = client.user.value?.id;
  const state = useMemo(() => signal<TableState | null>(null), []);
  const cursor = useMemo(() => new ReplayCursor(state), [state]);
  const review = useReview(match);
  const share = useMemo(() => new MatchShare(client.api, match, client.persistence), [client, match]);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    takeShareSecret(match, location, history);
    // The page also waits for the states of the review and of the share link, so that nothing moves
    // later.
    const load = async (): Promise<MatchView> => {
      const [view] = await Promise.all([client.api.match(match), review.load(), client.untilSessionKnown()]);
      await share.load(view, client.user.value?.id);
      return view;
    };
    load().then(
      (view) => {
        if (isCurrent) state.value = stateOfMatch(view, performance.now());
      },
      (cause: unknown) => {
        if (isCurrent && cause instanceof Error) setError(cause);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, match, me, attempt, state, review, share]);
  useEffect(() => {
    // Another link to the same match was opened in this tab.
    const read = (): void => {
      if (!takeShareSecret(match, location, history)) return;
      setError(null);
      setAttempt((times) => times + 1);
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [match]);
  useEffect(() => () => cursor.dispose(), [cursor]);
  const loaded = state.value;

  if (loaded !== null) return <Replay key={loaded.match} state={loaded} cursor={cursor} review={review} share={share} ply={ply} />;
  if (error === null) {
    return (
      <main id="content" class="empty-page" aria-busy="true">
        <p class="quiet">{text.replay.loading}</p>
      </main>
    );
  }
  const retry = (): void => {
    setError(null);
    setAttempt((times) => times + 1);
  };
  return <LoadError match={match} error={error} onRetry={retry} />;
}

interface ReplayProps {
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  readonly review: MatchReview;
  readonly share: MatchShare;
  readonly ply: number | null;
}

function Replay({ state, cursor, review, share, ply: addressPly }: ReplayProps): JSX.Element {
  const client = useClient();
  const [quarterTurns, setQuarterTurns] = useState(0);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const turnStep = state.board.holes.length === 0 ? 2 : 1;
  const turnBoard = useCallback(() => setQuarterTurns((turns) => turns + turnStep), [turnStep]);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  usePageKeys({ cursor, turnBoard, openHelp });
  useTitle(headline(state));
  // Goes to the ply of the address before the first rendering, and again after the browser's back
  // button.
  useLayoutEffect(() => {
    if (addressPly === null) cursor.live();
    else cursor.goTo(addressPly);
  }, [cursor, addressPly]);
  const ply = cursor.ply.value;
  useLayoutEffect(() => showPlyInAddress(state.match, ply), [state.match, ply]);
  const shownState = cursor.shown.value ?? state;
  const notation = useMemo(() => new Notation(client.api, state.match), [client, state]);
  const engine = useEngine(enginePosition(client.api, notation, state, shownState));
  const shownPly = ply ?? state.plies.length;
  const arrow = bestMoveArrow(engine.status) ?? moveArrow(swingAt(review.status.value, shownPly)?.best[0]?.move);
  const colors = useMemo(() => state.seats.map(({ color }) => color), [state]);
  const notations = useMemo(() => state.plies.map((one) => one.notation), [state]);
  const times = useMemo(() => moveTimes(state.history), [state]);
  return (
    <main id="content" class="table-page replay" data-cut={state.board.holes.length > 0} data-testid="replay" data-ply={shownPly}>
      <ReplayStatus state={state} shownState={shownState} />
      <ReplayBoard shownState={shownState} quarterTurns={quarterTurns} engineStatus={engine.status} arrow={arrow} />
      <BoardBar state={state} cursor={cursor} onTurnBoard={turnBoard} onHelp={openHelp} />
      <div class="panel">
        <Timeline state={state} cursor={cursor} />
        <ReviewCard review={review} match={state.match} colors={colors} ply={shownPly} notations={notations} onGoTo={(to) => cursor.goTo(to)} />
        <EngineCard engine={engine} onMove={{ kind: 'link', link: (moves) => analysisAddress(state.match, shownPly, moves) }} />
        <div class="notes">
          <MoveList state={state} cursor={cursor} times={times} />
        </div>
        <ResultCard state={state} />
        <Exports share={share} state={state} ply={shownPly} />
      </div>
      {isHelpOpen && <KeysHelp variant={state.settings.variant} onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

/**
 * Returns the request to the engine about the displayed position. It contains the notation of the
 * match up to this ply.
 */
function enginePosition(api: Api, notation: Notation, { match }: TableState, shownState: TableState): EnginePosition {
  if (shownState.state.turn === undefined) return { kind: 'over' };
  const plies = shownState.plies.length;
  return {
    kind: 'known',
    key: `${match} ${plies}`,
    request: async (until) => api.analyse({ setup: { kind: 'text', text: await notation.text(), plies }, lines: LINE_COUNT }, until),
  };
}

/** Returns the address of the analysis page for a ply of a match and further moves. */
function analysisAddress(match: MatchId, ply: number, moves: readonly Move[]): string {
  return `/analysis?${new URLSearchParams({ match, ply: String(ply), moves: moves.join('-') }).toString()}`;
}

/** Puts the displayed ply into the address. The last ply is not in the address. */
function showPlyInAddress(match: MatchId, ply: number | null): void {
  const path = `/m/${match}`;
  // Another page may have been opened meanwhile.
  if (location.pathname.toLowerCase() !== path) return;
  const address = ply === null ? path : `${path}?ply=${ply}`;
  if (location.pathname + location.search !== address) replaceAddress(history, address);
}

function LoadError({ match, error, onRetry }: { match: MatchId; error: Error; onRetry: () => void }): JSX.Element {
  const isNotFound = error instanceof Refusal && error.code === 'not_found';
  const isByLink = shareSecretOf(match) !== null;
  return (
    <main id="content" class="empty-page" data-testid="missing">
      <h1>{!isNotFound ? text.notLoaded.title : isByLink ? text.share.spent : text.replay.notFound}</h1>
      <p>{!isNotFound ? errorText(error) : isByLink ? text.share.spentHint : text.replay.notFoundHint}</p>
      {isNotFound ? (
        <a class="button primary" href="/archive">
          {text.archive.showAll}
        </a>
      ) : (
        <button type="button" class="button primary" data-testid="again" onClick={onRetry}>
          {text.archive.tryAgain}
        </button>
      )}
    </main>
  );
}
