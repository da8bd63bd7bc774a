import type { Color } from '../../protocol/generated.ts';
import { colors } from './game.ts';

/** Conditional moves in correspondence matches. */
export const conditional = {
  title: 'Conditional moves',
  hint: 'Plan your replies. As soon as your opponents make the moves that you expect, yours is played at once. Only you can see them.',
  add: 'Add a line',
  ownTurn: 'Make your move first, then plan the replies.',
  remove: 'Remove this line',
  /** A line for screen readers. */
  step: (color: Color, move: string | null) => `${colors[color]}: ${move ?? 'any move'}`,
  planned: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
  played: (count: number) => (count === 1 ? '1 move was played for you' : `${count} moves were played for you`),
  editor: 'New line',
  expect: (color: Color) => `Which move do you expect from ${colors[color]}?`,
  reply: 'Your reply?',
  saveHint: 'Save the line, or go on with the next move.',
  any: 'Any move',
  anyHint: (color: Color) => `${colors[color]} has not moved here: your reply is played whatever the move is, if it is legal then.`,
  back: 'Take back',
  save: 'Save line',
  over: 'Nothing can follow this move.',
  board: 'Board for planning',
};
