import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { Analysis, AnalysisLine, AnalysisMove, Color, Move } from '../../protocol/generated.ts';
import { LINE_COUNT } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import { errorText } from '../../text/error-text.ts';
import { Switch } from '../settings/switch.tsx';
import type { EngineView } from './use-engine.ts';
import { scoreText, analysisSentence, evaluationText, movesUpTo } from './evaluation-text.ts';

/**
 * The effect of a click on a move of a line: it plays the moves of the line up to this move, or
 * opens a link.
 */
export type MoveAction =
  | { readonly kind: 'play'; readonly play: (moves: readonly Move[]) => void }
  | { readonly kind: 'link'; readonly link: (moves: readonly Move[]) => string };

interface EngineCardProps {
  readonly engine: EngineView;
  readonly onMove: MoveAction;
}

/** The maximum number of displayed moves of a line. A row has no room for more. */
const SHOWN_MOVES = 8;

/** The engine's switch and its analysis of the displayed position. The card keeps its size. */
export function EngineCard({ engine, onMove }: EngineCardProps): JSX.Element {
  const { status, retry } = engine;
  return (
    <section class="card engine" aria-label={text.engine.title} data-testid="engine" data-state={status.kind}>
      <Switch name="engine" hint={text.engine.hint} />
      {status.kind !== 'off' && (
        <div class="engine-result">
          {status.kind === 'done' && <AnalysisResult analysis={status.analysis} onMove={onMove} />}
          {status.kind === 'searching' && <p class="engine-evaluation quiet">{text.engine.analyzing}</p>}
          {status.kind === 'over' && <p class="engine-evaluation quiet">{text.engine.gameOver}</p>}
          {status.kind === 'refused' && <AnalysisError error={status.error} onRetry={retry} />}
        </div>
      )}
    </section>
  );
}

function AnalysisResult({ analysis, onMove }: { analysis: Analysis; onMove: MoveAction }): JSX.Element {
  const [announcement, announce] = useState('');
  useEffect(() => announce(''), [analysis]);
  return (
    <>
      <p class="engine-evaluation">
        <span class="engine-text" data-testid="engine-evaluation">
          {evaluationText(analysis)}
        </span>
        <span class="quiet">{text.engine.depth(analysis.depth)}</span>
      </p>
      <ol class="engine-lines">
        {analysis.lines.slice(0, LINE_COUNT).map((line) => (
          <Line key={line.moves[0]?.move} line={line} turn={analysis.turn} onMove={onMove} />
        ))}
      </ol>
      {/* A screen reader reads the analysis only on request, since it changes with every step. */}
      <button type="button" class="button small engine-read-aloud" data-testid="engine-read-aloud" onClick={() => announce(analysisSentence(analysis))}>
        {text.engine.readAloud}
      </button>
      <p class="visually-hidden" role="status" data-testid="engine-heard">
        {announcement}
      </p>
    </>
  );
}

interface LineProps {
  readonly line: AnalysisLine;
  readonly turn: Color;
  readonly onMove: MoveAction;
}

function Line({ line, turn, onMove }: LineProps): JSX.Element {
  const score = scoreText(line, turn);
  return (
    <li class="engine-line" data-testid="engine-line">
      <span class="engine-score">{score}</span>
      <span class="engine-moves">
        {line.moves.slice(0, SHOWN_MOVES).map((move, index) => (
          <LineMove key={`${index}${move.move}`} move={move} moves={movesUpTo(line, index)} onMove={onMove} />
        ))}
      </span>
    </li>
  );
}

interface LineMoveProps {
  readonly move: AnalysisMove;
  readonly moves: readonly Move[];
  readonly onMove: MoveAction;
}

function LineMove({ move, moves, onMove }: LineMoveProps): JSX.Element {
  const attributes = { class: 'tree-move', 'data-color': move.color, 'data-testid': 'engine-move' };
  if (onMove.kind === 'link') {
    return (
      <a {...attributes} href={onMove.link(moves)}>
        {move.notation}
      </a>
    );
  }
  return (
    <button type="button" {...attributes} onClick={() => onMove.play(moves)}>
      {move.notation}
    </button>
  );
}

/** The reason why there is no analysis, with a button for another try if that may help. */
function AnalysisError({ error, onRetry }: { error: Error; onRetry: () => void }): JSX.Element {
  const canRetry = !(error instanceof Refusal) || error.code === 'busy' || error.code === 'rate_limited' || error.code === 'internal';
  return (
    <div class="engine-error" data-testid="engine-error">
      <p>{errorText(error)}</p>
      {canRetry && (
        <button type="button" class="button small" data-testid="engine-again" onClick={onRetry}>
          {text.archive.tryAgain}
        </button>
      )}
    </div>
  );
}
