import { afterEach, describe, expect, it } from 'vitest';
import type { AnalysisLine } from '../src/protocol/generated.ts';
import { de } from '../src/text/de/index.ts';
import { en } from '../src/text/en/index.ts';
import { setCatalogue } from '../src/text/index.ts';
import { bestMoveArrow, scoreText, analysisSentence, evaluationText, movesUpTo } from '../src/view/engine/evaluation-text.ts';
import { classicAnalysis, crossAnalysis } from './support/analyses.ts';

afterEach(() => setCatalogue(en));

const MATED: AnalysisLine = {
  scores: { white: { kind: 'mated', moves: 3 }, black: { kind: 'mates', moves: 3 } },
  chances: { white: 0, black: 1_000 },
  moves: [{ color: 'black', move: 'd8h4', notation: 'Qh4' }],
};

describe('the texts of an analysis', () => {
  it.each([
    [0, 'Even'],
    [40, 'Even'],
    [80, 'White is slightly better'],
    [250, 'White is clearly better'],
    [-600, 'Black is winning'],
  ])('of two players, %i hundredths: %s', (points, words) => {
    expect(evaluationText(classicAnalysis({ e2e4: points }))).toBe(words);
  });

  it('name the leader of four players, if there is one', () => {
    expect(evaluationText(crossAnalysis({ red: 260, blue: 250, yellow: 250, green: 240 }))).toBe('Even');
    expect(evaluationText(crossAnalysis({ red: 200, blue: 410, yellow: 200, green: 190 }))).toBe('Blue leads: 41% chance to win');
  });

  it('name the player who mates', () => {
    const analysis = { ...classicAnalysis({ e2e4: 0 }), lines: [MATED] };
    expect(evaluationText(analysis)).toBe('Black mates in 3');
    expect(scoreText(MATED, 'black')).toBe('#−3');
  });

  it('show White’s score, or the chance of the player to move with four', () => {
    const [line] = classicAnalysis({ e2e4: 35 }).lines;
    expect(line && scoreText(line, 'white')).toBe('+0.4');
    const [cross] = crossAnalysis({ red: 305, blue: 245, yellow: 250, green: 200 }).lines;
    expect(cross && scoreText(cross, 'red')).toBe('31%');
  });

  it('form a sentence in the chosen language', () => {
    const analysis = classicAnalysis({ e2e4: 250 });
    expect(analysisSentence(analysis)).toBe('White is clearly better. White 74% and Black 26%. Best move e2-e4. Depth 9');
    setCatalogue(de);
    expect(analysisSentence(analysis).replaceAll('\u00a0', ' ')).toBe('Weiß steht klar besser. Weiß 74 % und Schwarz 26 %. Bester Zug e2-e4. Tiefe 9');
  });

  it('the best move is an arrow, but not during a request', () => {
    const analysis = classicAnalysis({ e2e4: 30, d2d4: 20 });
    expect(bestMoveArrow({ kind: 'done', analysis })).toEqual({ from: 'e2', to: 'e4' });
    expect(bestMoveArrow({ kind: 'searching', previous: analysis })).toBeNull();
  });

  it('link a move of a line with all moves before it', () => {
    const [line] = classicAnalysis({ e2e4: 30 }).lines;
    expect(line && movesUpTo(line, 1)).toEqual(['e2e4', 'e7e5']);
  });
});
