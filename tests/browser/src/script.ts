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

/** A move as the script has it. */
export interface Move {
  readonly from: string;
  readonly to: string;
  /** The letter of the piece a pawn becomes. */
  readonly promotion: string | undefined;
}

/** The last file and rank of the cross, counted from 0. */
const LAST = 13;

/**
 * The moves of `tests/games/<variant>.uci`. On the cross the whole game turns with the color that begins: the set-up
 * turns into itself under a quarter turn (RULES D1).
 */
export function script(variant: Variant, beginner: Color): Move[] {
  const text = readFileSync(join(ROOT, 'tests/games', `${variant}.uci`), 'utf8');
  const words = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word !== '');
  const turns = (COLORS[variant] as readonly Color[]).indexOf(beginner);
  return words.map((word) => {
    const parts = /^([a-n]\d+)([a-n]\d+)([nbrq]?)$/.exec(word);
    if (parts === null) throw new Error(`${word} is no move`);
    const [, from = '', to = '', promotion = ''] = parts;
    return { from: turned(from, turns), to: turned(to, turns), promotion: promotion || undefined };
  });
}

function turned(square: string, turns: number): string {
  let file = square.charCodeAt(0) - 'a'.charCodeAt(0);
  let rank = Number(square.slice(1)) - 1;
  for (let turn = 0; turn < turns; turn += 1) [file, rank] = [rank, LAST - file];
  return `${String.fromCharCode('a'.charCodeAt(0) + file)}${rank + 1}`;
}
