import type { Analysis, AnalysisLine, Color } from '../../src/protocol/generated.ts';

/** Returns an analysis of a classic position with White to move: these centipawns for these moves. */
export function classicAnalysis(moves: Record<string, number>, depth = 9): Analysis {
  const lines = Object.entries(moves).map(([mv, points]): AnalysisLine => {
    const white = Math.round(1_000 / (1 + Math.exp(-points / 240)));
    return {
      scores: { white: { kind: 'points', centipawns: points }, black: { kind: 'points', centipawns: -points } },
      chances: { white, black: 1_000 - white },
      moves: [
        { color: 'white', move: mv, notation: `${mv.slice(0, 2)}-${mv.slice(2)}` },
        { color: 'black', move: 'e7e5', notation: 'e7-e5' },
      ],
    };
  });
  return { variant: 'classic', turn: 'white', depth, nodes: 1_000, lines };
}

/** Returns an analysis of a position of four players. */
export function crossAnalysis(chances: Record<'red' | 'blue' | 'yellow' | 'green', number>): Analysis {
  const colors = Object.keys(chances) as Color[];
  const scores = Object.fromEntries(colors.map((color) => [color, { kind: 'points' as const, points: 0 }]));
  const move = { color: 'red' as const, move: 'h2h4', notation: 'h2-h4' };
  return { variant: 'dilkel', turn: 'red', depth: 4, nodes: 1_000, lines: [{ scores, chances, moves: [move] }] };
}
