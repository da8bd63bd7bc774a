import type { Color } from '../../protocol/generated.ts';
import { colors } from './game.ts';

/** The engine's review of a match that has ended. */
export const review = {
  title: 'Review',
  intro: 'See how each player’s chances changed, and where a better move was missed.',
  request: 'Request review',
  waiting: (ahead: number) =>
    ahead === 0 ? 'Waiting for the engine…' : ahead === 1 ? 'Waiting: 1 review comes first' : `Waiting: ${ahead} reviews come first`,
  running: (done: number, of: number) => `Reviewing: ${done} of ${of} moves`,
  chances: 'Winning chances',
  graph: (place: string, list: string) => `Graph of the winning chances. ${place}: ${list}`,
  swings: 'Mistakes and blunders',
  none: 'No mistakes or blunders found.',
  kinds: { mistake: 'Mistake', blunder: 'Blunder' },
  move: (ply: number, color: Color, move: string) => `Move ${ply}, ${colors[color]}: ${move}`,
  loss: (kind: string, percent: string) => `${kind}, −${percent}`,
  best: (line: string) => `Best was ${line}`,
  thresholds: 'A mistake costs 10 percentage points of the chance to win, a blunder 15 or more, as on lichess.',
};
