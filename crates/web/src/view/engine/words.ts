import type { Analysis, AnalysisLine, Color, Move } from '../../protocol/generated.ts';
import { parseMove } from '../../store/moves.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import type { ArrowView } from '../board/overlay.tsx';

/** From which chance on, in thousandths, one of two stands better: slightly, clearly, and so that it should win. */
const BETTER = [560, 680, 850] as const;
/** And of more than two, from which chance on one is ahead of what all would have alike. */
const AHEAD = 1.2;

/** Each player's chance, in words: `White 55 %, Black 45 %`. */
export function chancesOf({ lines }: Analysis): string {
  const chances = Object.entries(lines[0]?.chances ?? {}) as [Color, number][];
  return text.list(chances.map(([color, chance]) => text.engine.chance(text.colors[color], text.percent(chance / 1_000))));
}

/** Returns the evaluation in a few words. */
export function standing({ lines }: Analysis): string {
  const best = lines[0];
  if (best === undefined) return text.engine.unknown;
  const mate = mateIn(best);
  if (mate !== null) return text.engine.mates(text.colors[mate.color], mate.moves);
  const chances = (Object.entries(best.chances) as [Color, number][]).toSorted((one, other) => other[1] - one[1]);
  const [first] = chances;
  if (first === undefined) return text.engine.unknown;
  const [color, chance] = first;
  if (chances.length === 2) {
    const degree = BETTER.filter((from) => chance >= from).length;
    return degree === 0 ? text.engine.even : text.engine.better(text.colors[color], degree);
  }
  return chance < (1_000 / chances.length) * AHEAD ? text.engine.even : text.engine.ahead(text.colors[color], text.percent(chance / 1_000));
}

/** The score of a line as players write it: of two players White's, of more the chance of the one to move. */
export function scoreOf(line: AnalysisLine, turn: Color): string {
  const { white } = line.scores;
  if (white === undefined) {
    const own = line.scores[turn];
    return own?.kind === 'mates' ? `#${own.moves}` : text.percent((line.chances[turn] ?? 0) / 1_000);
  }
  if (white.kind === 'points') return text.pawns(white.centipawns);
  return white.kind === 'mates' ? `#${white.moves}` : `#−${white.moves}`;
}

/** Returns the whole analysis as a sentence for screen readers. */
export function sentence(analysis: Analysis): string {
  const best = analysis.lines[0]?.moves[0]?.notation ?? '';
  return [standing(analysis), chancesOf(analysis), text.engine.best(best), text.engine.depth(analysis.depth)].join('. ');
}

/** The arrow of the best move where one is. */
export function hintOf(thought: EngineStatus): ArrowView | null {
  const best = thought.kind === 'told' ? thought.analysis.lines[0]?.moves[0] : undefined;
  const parts = best === undefined ? null : parseMove(best.move);
  return parts === null ? null : { from: parts.from, to: parts.to };
}

/** The moves of a line up to one of them. */
export function upTo(line: AnalysisLine, index: number): readonly Move[] {
  return line.moves.slice(0, index + 1).map(({ move: mv }) => mv);
}

function mateIn({ scores }: AnalysisLine): { readonly color: Color; readonly moves: number } | null {
  for (const [color, score] of Object.entries(scores)) {
    if (score.kind === 'mates') return { color: color as Color, moves: score.moves };
  }
  return null;
}
