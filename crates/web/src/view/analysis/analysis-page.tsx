import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { Analyse, ExploreSetup, Side } from '../../protocol/generated.ts';
import { Analysis, type ExploreProblem } from '../../store/analysis/analysis.ts';
import { exploreRequest, type AnalysisRoot } from '../../store/analysis/analysis-root.ts';
import { persistAnalysis, restoreAnalysis } from '../../store/analysis/analysis-storage.ts';
import { analysisStartFrom } from '../../store/analysis/analysis-start.ts';
import type { Api } from '../../store/api.ts';
import { LINE_COUNT, type EnginePosition } from '../../store/engine.ts';
import { tabPersistence } from '../../store/persistence.ts';
import { DEFAULT_VARIANT } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { outcomeHeadline } from '../../text/sentence.ts';
import { errorText } from '../../text/error-text.ts';
import { useClient } from '../context.ts';
import { EngineCard } from '../engine/engine-card.tsx';
import { useEngine } from '../engine/use-engine.ts';
import { useTitle } from '../title.ts';
import { AnalysisReview } from './analysis-review.tsx';
import { ExportPanel } from './export.tsx';
import { MoveTree } from './move-tree.tsx';
import { AnalysisSource, type SourceProblem } from './analysis-source.tsx';
import { AnalysisBoard } from './analysis-board.tsx';
import { AnalysisMoveInput } from './analysis-move-input.tsx';
import { AnalysisInput } from './analysis-input.ts';
import { NavigationBar } from './navigation-bar.tsx';

/**
 * The time that a node must be displayed before it is explored, in milliseconds. So no requests are
 * sent while the user steps through the tree quickly.
 */
const EXPLORE_DELAY_MS = 150;
const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];

/** The page for the analysis of any position or game. */
export function AnalysisPage(): JSX.Element {
  const client = useClient();
  const analysis = useMemo(() => new Analysis(client.api), [client]);
  const input = useMemo(() => new AnalysisInput(analysis), [analysis]);
  const [quarterTurns, setQuarterTurns] = useState(0);
  const beginFromAddress = useAnalysisStart(analysis);
  const start = useMemo(() => analysisStartFrom(location.search), []);
  useTitle(text.analysis.title);

  const node = analysis.currentNode.value;
  const isKnown = analysis.currentFacts.value !== null;
  useEffect(() => {
    if (isKnown) return undefined;
    const timer = setTimeout(() => void analysis.exploreCurrent(), EXPLORE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [analysis, node, isKnown]);

  const root = analysis.root.value;
  const engine = useEngine(enginePosition(client.api, analysis));
  const problem = analysis.problem.value;
  const hasHoles = root === null || root.board.holes.length > 0;
  const turnBoard = useCallback(() => setQuarterTurns((turns) => turns + (hasHoles ? 1 : 2)), [hasHoles]);
  const retry = (): void => void (root === null ? beginFromAddress() : analysis.exploreCurrent());
  return (
    <main id="content" class="table-page analysis" data-cut={hasHoles} data-testid="analysis" data-busy={analysis.isBusy.value}>
      <StatusLine analysis={analysis} root={root} />
      {root === null ? (
        <div class="board-space" aria-busy="true">
          <div class="board-frame board-placeholder" />
        </div>
      ) : (
        <AnalysisBoard analysis={analysis} root={root} input={input} bottom={SIDES[quarterTurns % SIDES.length] ?? 'south'} engineStatus={engine.status} />
      )}
      <div class="panel">
        <NavigationBar analysis={analysis} onTurn={turnBoard} />
        {problem?.kind === 'unreachable' && (
          <div class="card away" role="alert" data-testid="away">
            <p>{errorText(problem.error)}</p>
            <button type="button" class="button small" data-testid="ask-again" onClick={retry}>
              {text.archive.tryAgain}
            </button>
          </div>
        )}
        <EngineCard engine={engine} onMove={{ kind: 'play', play: (moves) => void analysis.playMoves(moves) }} />
        {root !== null && start.kind === 'match' && <AnalysisReview analysis={analysis} root={root} match={start.match} />}
        {root !== null && <ImportNotes root={root} />}
        {root !== null && <MoveTree analysis={analysis} root={root} />}
        <AnalysisMoveInput input={input} />
        {root !== null && <ExportPanel analysis={analysis} root={root} />}
        <AnalysisSource
          isBusy={analysis.isBusy.value}
          problem={problem?.kind === 'refused' ? sourceProblem(problem) : null}
          onBegin={(setup: ExploreSetup) => analysis.begin(setup)}
        />
      </div>
    </main>
  );
}

/** Returns the request to the engine about the current node. */
function enginePosition(api: Api, { root, tree, currentNode, currentFacts }: Analysis): EnginePosition {
  const state = currentFacts.value?.state;
  if (root.value === null || state === undefined) return { kind: 'unknown' };
  if (state.turn === undefined) return { kind: 'over' };
  const body: Analyse = { ...exploreRequest(root.value, tree.value, currentNode.value), lines: LINE_COUNT };
  return { kind: 'known', key: JSON.stringify(body), request: (until) => api.analyse(body, until) };
}

/**
 * Restores the stored analysis, or begins an analysis from the address. Returns a function that
 * begins the analysis of the address again.
 */
function useAnalysisStart(analysis: Analysis): () => Promise<unknown> {
  const client = useClient();
  const begin = useCallback(async () => {
    const start = analysisStartFrom(location.search);
    if (start.kind === 'setup') return analysis.begin(start.setup, start.moves);
    try {
      const notation = await client.api.notation(start.match);
      const hasBegun = await analysis.begin({ kind: 'text', text: notation }, [], start.ply ?? undefined);
      if (hasBegun && start.moves.length > 0) await analysis.playMoves(start.moves);
      return hasBegun;
    } catch (error) {
      client.report(error);
      return analysis.begin({ kind: 'start', variant: DEFAULT_VARIANT });
    }
  }, [analysis, client]);
  useEffect(() => {
    if (!restoreAnalysis(analysis, location.search, tabPersistence)) void begin();
    return persistAnalysis(analysis, () => location.search, tabPersistence);
  }, [analysis, begin]);
  return begin;
}

/** The color to move at the current node, or the result. */
function StatusLine({ analysis, root }: { analysis: Analysis; root: AnalysisRoot | null }): JSX.Element {
  const state = analysis.currentFacts.value?.state;
  const outcome = state?.outcome;
  const turn = state?.turn ?? null;
  const title =
    outcome !== undefined
      ? outcomeHeadline(outcome, root?.seats.length ?? 0)
      : turn === null
        ? text.analysis.title
        : text.table.toMove(turn);
  return (
    <section class="status" data-color={turn} data-mine="false" data-testid="status">
      <h1 class="visually-hidden">{text.analysis.title}</h1>
      <p class="status-head" role="status">
        <span>{title}</span>
        {state !== undefined && state.checks.length > 0 && outcome === undefined && (
          <span class="check-sign">{text.table.inCheck(state.checks, null)}</span>
        )}
      </p>
      <p class="status-text">
        {outcome !== undefined
          ? text.reasons[outcome.reason]
          : root === null
            ? text.analysis.loading
            : `${text.variants[root.variant].name} · ${text.analysis.title}`}
      </p>
      <span class="busy" data-busy={analysis.isBusy.value} aria-hidden="true" />
    </section>
  );
}

/** The result, warnings and errors of an imported text. */
function ImportNotes({ root }: { root: AnalysisRoot }): JSX.Element | null {
  const { stopped, warnings, more_games, result } = root;
  const notes = [
    ...(stopped === null ? [] : [text.analysis.stopped(stopped.line, stopped.column, stopped.text, stopped.reason)]),
    ...warnings,
    ...(more_games === 0 ? [] : [text.analysis.moreGames(more_games)]),
    ...(result === null || result === '*' ? [] : [text.analysis.result(result)]),
  ];
  if (notes.length === 0) return null;
  return (
    <ul class="import-notes card" data-testid="import-notes">
      {notes.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

/**
 * Returns the reason of a refusal, and the server's message as its details. The message names the
 * line and column in the text.
 */
function sourceProblem({ error }: ExploreProblem): SourceProblem {
  if (error instanceof Refusal && (error.code === 'bad_text' || error.code === 'bad_setup')) {
    return { summary: text.analysis.unreadable, details: error.message };
  }
  const summary = errorText(error);
  const isNamed = summary.toLowerCase().includes(error.message.toLowerCase());
  return { summary, details: error instanceof Refusal && !isNamed ? error.message : null };
}
