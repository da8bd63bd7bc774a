import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program.ts';

/** The colors of each variant in turn order. */
export const COLORS = {
  classic: ['white', 'black'],
  dilkel: ['red', 'blue', 'yellow', 'green'],
} as const;

export type Variant = keyof typeof COLORS;
export type Color = (typeof COLORS)[Variant][number];

/** A move of a script. */
export interface Move {
  readonly from: string;
  readonly to: string;
  /** The letter of the promotion, if there is one. */
  readonly promotion: string | undefined;
}

/** The last file and rank of the cross, counted from 0. */
const LAST = 13;

/**
 * Returns the moves of `tests/games/<variant>.uci` for a given first player. On the cross the whole
 * game is rotated: a quarter turn maps the initial position onto itself (RULES D1).
 */
export function scriptedMoves(variant: Variant, firstPlayer: Color): Move[] {
  const text = readFileSync(join(ROOT, 'tests/games', `${variant}.uci`), 'utf8');
  const words = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word !== '');
  const turns = (COLORS[variant] as readonly Color[]).indexOf(firstPlayer);
  return words.map((word) => {
    const parts = /^([a-n]\d+)([a-n]\d+)([nbrq]?)$/.exec(word);
    if (parts === null) throw new Error(`${word} is no move`);
    const [, from = '', to = '', promotion = ''] = parts;
    return { from: rotate(from, turns), to: rotate(to, turns), promotion: promotion || undefined };
  });
}

function rotate(square: string, turns: number): string {
  let file = square.charCodeAt(0) - 'a'.charCodeAt(0);
  let rank = Number(square.slice(1)) - 1;
  for (let turn = 0; turn < turns; turn += 1) [file, rank] = [rank, LAST - file];
  return `${String.fromCharCode('a'.charCodeAt(0) + file)}${rank + 1}`;
}
