import type { Analysis, AnalysisLine, Color, Move } from '../../protocol/generated.ts';
import { parseMove } from '../../store/moves.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import type { SquareArrow } from '../board/overlay.tsx';

/**
 * The smallest chance for each degree of an advantage with two players, in thousandths: slightly
 * better, clearly better, winning.
 */
const DEGREE_CHANCES = [560, 680, 850] as const;
/**
 * With more than two players, a player is ahead if the player's chance is at least this multiple of
 * an equal share.
 */
const AHEAD_FACTOR = 1.2;

/** Returns the chance of each player: `White 55 %, Black 45 %`. */
export function chancesText({ lines }: Analysis): string {
  const chances = Object.entries(lines[0]?.chances ?? {}) as [Color, number][];
  return text.list(chances.map(([color, chance]) => text.engine.chance(color, text.percent(chance / 1_000))));
}

/** Returns the evaluation in a few words. */
export function evaluationText({ lines }: Analysis): string {
  const best = lines[0];
  if (best === undefined) return text.engine.unknown;
  const mate = forcedMate(best);
  if (mate !== null) return text.engine.matesIn(mate.color, mate.moves);
  const chances = (Object.entries(best.chances) as [Color, number][]).toSorted((one, other) => other[1] - one[1]);
  const [first] = chances;
  if (first === undefined) return text.engine.unknown;
  const [color, chance] = first;
  if (chances.length === 2) {
    const degree = DEGREE_CHANCES.filter((from) => chance >= from).length;
    return degree === 0 ? text.engine.even : text.engine.isBetter(color, degree);
  }
  return chance < (1_000 / chances.length) * AHEAD_FACTOR ? text.engine.even : text.engine.leads(color, text.percent(chance / 1_000));
}

/**
 * Returns the score of a line as players write it. With two players it is White's score, with more
 * players the chance of the player to move.
 */
export function scoreText(line: AnalysisLine, turn: Color): string {
  const { white } = line.scores;
  if (white === undefined) {
    const own = line.scores[turn];
    return own?.kind === 'mates' ? `#${own.moves}` : text.percent((line.chances[turn] ?? 0) / 1_000);
  }
  if (white.kind === 'points') return text.pawns(white.centipawns);
  return white.kind === 'mates' ? `#${white.moves}` : `#−${white.moves}`;
}

/** Returns the analysis as a sentence for screen readers. */
export function analysisSentence(analysis: Analysis): string {
  const best = analysis.lines[0]?.moves[0]?.notation ?? '';
  return [evaluationText(analysis), chancesText(analysis), text.engine.bestMove(best), text.engine.depth(analysis.depth)].join('. ');
}

/** Returns the arrow of the best move. */
export function bestMoveArrow(engineStatus: EngineStatus): SquareArrow | null {
  const best = engineStatus.kind === 'done' ? engineStatus.analysis.lines[0]?.moves[0] : undefined;
  return moveArrow(best?.move);
}

/** Returns the arrow of a move. */
export function moveArrow(move: Move | undefined): SquareArrow | null {
  const parts = move === undefined ? null : parseMove(move);
  return parts === null ? null : { from: parts.from, to: parts.to };
}

/** Returns the moves of a line up to one of them. */
export function movesUpTo(line: AnalysisLine, index: number): readonly Move[] {
  return line.moves.slice(0, index + 1).map(({ move: mv }) => mv);
}

function forcedMate({ scores }: AnalysisLine): { readonly color: Color; readonly moves: number } | null {
  for (const [color, score] of Object.entries(scores)) {
    if (score.kind === 'mates') return { color: color as Color, moves: score.moves };
  }
  return null;
}
