import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { Analysis, AnalysisLine, AnalysisMove, Color, Move } from '../../protocol/generated.ts';
import { LINE_COUNT } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import { errorText } from '../../text/error-text.ts';
import { Switch } from '../settings/switch.tsx';
import type { EngineView } from './use-engine.ts';
import { scoreOf, sentence, standing, upTo } from './words.ts';

/**
 * Effect of pressing a move of a line: the moves up to it are tried here, or a link is followed.
 */
export type Following =
  | { readonly kind: 'play'; readonly play: (moves: readonly Move[]) => void }
  | { readonly kind: 'link'; readonly link: (moves: readonly Move[]) => string };

interface EngineCardProps {
  readonly engine: EngineView;
  readonly following: Following;
}

/** Moves of a line that are shown: a row holds no more. */
const SHOWN = 8;

/** The switch of the engine, and what it says of where one is. Whatever it says, the card stays as large as it is. */
export function EngineCard({ engine, following }: EngineCardProps): JSX.Element {
  const { thought, again } = engine;
  return (
    <section class="card engine" aria-label={text.engine.title} data-testid="engine" data-standing={thought.kind}>
      <Switch name="engine" hint={text.engine.hint} />
      {thought.kind !== 'off' && (
        <div class="engine-result">
          {thought.kind === 'told' && <Said analysis={thought.analysis} following={following} />}
          {thought.kind === 'looking' && <p class="engine-evaluation quiet">{text.engine.looking}</p>}
          {thought.kind === 'over' && <p class="engine-evaluation quiet">{text.engine.over}</p>}
          {thought.kind === 'refused' && <Refused error={thought.error} onAgain={again} />}
        </div>
      )}
    </section>
  );
}

function Said({ analysis, following }: { analysis: Analysis; following: Following }): JSX.Element {
  const [spoken, speak] = useState('');
  useEffect(() => speak(''), [analysis]);
  return (
    <>
      <p class="engine-evaluation">
        <span class="engine-text" data-testid="engine-evaluation">
          {standing(analysis)}
        </span>
        <span class="quiet">{text.engine.depth(analysis.depth)}</span>
      </p>
      <ol class="engine-lines">
        {analysis.lines.slice(0, LINE_COUNT).map((line) => (
          <Line key={line.moves[0]?.move} line={line} turn={analysis.turn} following={following} />
        ))}
      </ol>
      {/* What changes with every step is read out to nobody who did not ask. */}
      <button type="button" class="button small engine-read-aloud" data-testid="engine-read-aloud" onClick={() => speak(sentence(analysis))}>
        {text.engine.say}
      </button>
      <p class="visually-hidden" role="status" data-testid="engine-heard">
        {spoken}
      </p>
    </>
  );
}

interface LineProps {
  readonly line: AnalysisLine;
  readonly turn: Color;
  readonly following: Following;
}

function Line({ line, turn, following }: LineProps): JSX.Element {
  const score = scoreOf(line, turn);
  return (
    <li class="engine-line" data-testid="engine-line">
      <span class="engine-score">{score}</span>
      <span class="engine-moves">
        {line.moves.slice(0, SHOWN).map((move, index) => (
          <LineMove key={`${index}${move.move}`} move={move} moves={upTo(line, index)} following={following} />
        ))}
      </span>
    </li>
  );
}

interface LineMoveProps {
  readonly move: AnalysisMove;
  readonly moves: readonly Move[];
  readonly following: Following;
}

function LineMove({ move, moves, following }: LineMoveProps): JSX.Element {
  const looks = { class: 'tree-move', 'data-color': move.color, 'data-testid': 'engine-move' };
  if (following.kind === 'link') {
    return (
      <a {...looks} href={following.link(moves)}>
        {move.notation}
      </a>
    );
  }
  return (
    <button type="button" {...looks} onClick={() => following.play(moves)}>
      {move.notation}
    </button>
  );
}

/** Shows why there is no analysis, with a button to ask again where that may help. */
function Refused({ error, onAgain }: { error: Error; onAgain: () => void }): JSX.Element {
  const mayHelp = !(error instanceof Refusal) || error.code === 'busy' || error.code === 'rate_limited' || error.code === 'internal';
  return (
    <div class="engine-error" data-testid="engine-error">
      <p>{errorText(error)}</p>
      {mayHelp && (
        <button type="button" class="button small" data-testid="engine-again" onClick={onAgain}>
          {text.archive.again}
        </button>
      )}
    </div>
  );
}
