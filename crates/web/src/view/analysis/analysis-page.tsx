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
import { ExportPanel } from './export.tsx';
import { MoveTree } from './move-tree.tsx';
import { Source } from './source.tsx';
import { AnalysisBoard } from './try-board.tsx';
import { AnalysisMoveInput } from './try-input.tsx';
import { AnalysisInput } from './trying.ts';
import { WalkBar } from './walk-bar.tsx';

/**
 * Time at one node before the server is asked about it, milliseconds: walking through asks nothing.
 */
const REST_MS = 150;
const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];

/** Trying moves from any position or written game, alone. */
export function AnalysisPage(): JSX.Element {
  const client = useClient();
  const analysis = useMemo(() => new Analysis(client.api), [client]);
  const trying = useMemo(() => new AnalysisInput(analysis), [analysis]);
  const [quarters, setQuarters] = useState(0);
  const begin = useBeginning(analysis);
  useTitle(text.analysis.title);

  const at = analysis.currentNode.value;
  const isKnown = analysis.currentFacts.value !== null;
  useEffect(() => {
    if (isKnown) return undefined;
    const rest = setTimeout(() => void analysis.exploreCurrent(), REST_MS);
    return () => clearTimeout(rest);
  }, [analysis, at, isKnown]);

  const ground = analysis.root.value;
  const engine = useEngine(placeOf(client.api, analysis));
  const problem = analysis.problem.value;
  const isCut = ground === null || ground.board.holes.length > 0;
  const turn = useCallback(() => setQuarters((turned) => turned + (isCut ? 1 : 2)), [isCut]);
  const again = (): void => void (ground === null ? begin() : analysis.exploreCurrent());
  return (
    <main id="content" class="table-page analysis" data-cut={isCut} data-testid="analysis" data-busy={analysis.isBusy.value}>
      <Standing analysis={analysis} ground={ground} />
      {ground === null ? (
        <div class="board-space" aria-busy="true">
          <div class="board-frame board-placeholder" />
        </div>
      ) : (
        <AnalysisBoard analysis={analysis} ground={ground} trying={trying} bottom={SIDES[quarters % SIDES.length] ?? 'south'} thought={engine.thought} />
      )}
      <div class="panel">
        <WalkBar analysis={analysis} onTurn={turn} />
        {problem?.kind === 'away' && (
          <div class="card away" role="alert" data-testid="away">
            <p>{errorText(problem.error)}</p>
            <button type="button" class="button small" data-testid="ask-again" onClick={again}>
              {text.archive.again}
            </button>
          </div>
        )}
        <EngineCard engine={engine} following={{ kind: 'play', play: (moves) => void analysis.playMoves(moves) }} />
        {ground !== null && <About ground={ground} />}
        {ground !== null && <MoveTree analysis={analysis} ground={ground} />}
        <AnalysisMoveInput trying={trying} />
        {ground !== null && <ExportPanel analysis={analysis} ground={ground} />}
        <Source
          busy={analysis.isBusy.value}
          wrong={problem?.kind === 'refused' ? whatIsWrong(problem) : null}
          onBegin={(setup: ExploreSetup) => analysis.begin(setup)}
        />
      </div>
    </main>
  );
}

/** Returns the current position in the form that the engine is asked about. */
function placeOf(api: Api, { root: ground, tree, currentNode: at, currentFacts: outlook }: Analysis): EnginePosition {
  const state = outlook.value?.state;
  if (ground.value === null || state === undefined) return { kind: 'unknown' };
  if (state.turn === undefined) return { kind: 'over' };
  const body: Analyse = { ...exploreRequest(ground.value, tree.value, at.value), lines: LINE_COUNT };
  return { kind: 'known', key: JSON.stringify(body), request: (until) => api.analyse(body, until) };
}

/** Begins from what the address says, or goes on with what was done before; gives what begins from the address again. */
function useBeginning(analysis: Analysis): () => Promise<unknown> {
  const client = useClient();
  const begin = useCallback(async () => {
    const opening = analysisStartFrom(location.search);
    if (opening.kind === 'setup') return analysis.begin(opening.setup, opening.moves);
    try {
      const written = await client.api.notation(opening.match);
      const begun = await analysis.begin({ kind: 'text', text: written }, [], opening.ply ?? undefined);
      if (begun && opening.moves.length > 0) await analysis.playMoves(opening.moves);
      return begun;
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

/** Shows the color to move at the current node, or the result. */
function Standing({ analysis, ground }: { analysis: Analysis; ground: AnalysisRoot | null }): JSX.Element {
  const state = analysis.currentFacts.value?.state;
  const outcome = state?.outcome;
  const turn = state?.turn ?? null;
  const head =
    outcome !== undefined
      ? outcomeHeadline(outcome, ground?.seats.length ?? 0)
      : turn === null
        ? text.analysis.title
        : text.table.toMove(turn);
  return (
    <section class="status" data-color={turn} data-mine="false" data-testid="status">
      <h1 class="visually-hidden">{text.analysis.title}</h1>
      <p class="status-head" role="status">
        <span>{head}</span>
        {(state?.checks.length ?? 0) > 0 && outcome === undefined && <span class="check-sign">{text.table.check}</span>}
      </p>
      <p class="status-text">
        {outcome !== undefined
          ? text.reasons[outcome.reason]
          : ground === null
            ? text.analysis.loading
            : `${text.variants[ground.variant].name} · ${text.analysis.title}`}
      </p>
      <span class="busy" data-busy={analysis.isBusy.value} aria-hidden="true" />
    </section>
  );
}

/** Shows the tags and warnings of a text that was read. */
function About({ ground }: { ground: AnalysisRoot }): JSX.Element | null {
  const { stopped, warnings, more_games, result } = ground;
  const said = [
    ...(stopped === null ? [] : [text.analysis.stopped(stopped.line, stopped.column, stopped.text, stopped.reason)]),
    ...warnings,
    ...(more_games === 0 ? [] : [text.analysis.moreGames(more_games)]),
    ...(result === null || result === '*' ? [] : [text.analysis.result(result)]),
  ];
  if (said.length === 0) return null;
  return (
    <ul class="import-notes card" data-testid="import-notes">
      {said.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

/** Returns the server's message about a mistake; its own words name the position in the text. */
function whatIsWrong({ error }: ExploreProblem): string {
  const said = errorText(error);
  const isNamed = said.toLowerCase().includes(error.message.toLowerCase());
  return error instanceof Refusal && !isNamed ? `${said} (${error.message})` : said;
}
