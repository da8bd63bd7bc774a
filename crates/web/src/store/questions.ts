import type { BoardView, Color, Square } from '../protocol/generated.ts';
import type { RoleLetter } from './pieces.ts';

/** The queries about a table that can be typed. */
export type QuestionKind = 'clocks' | 'last' | 'pieces' | 'scan' | 'moves' | 'board' | 'who' | 'reserve' | 'help';

/** A line of squares that is read out: a file, a rank, or one diagonal or both through a square. */
export type Line =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'rank'; readonly name: string }
  | { readonly kind: 'diagonal'; readonly through: Square; readonly leans: readonly Lean[] };

/** `/` goes up to the right, `\` down to the right, as Red or White sees the board. */
export type Lean = '/' | '\\';

/** A question, understood. */
export type Question =
  | { readonly kind: 'clocks' | 'board' | 'who' | 'reserve' | 'help' }
  | { readonly kind: 'last'; readonly color: Color | null }
  | { readonly kind: 'pieces'; readonly color: Color | null; readonly role: RoleLetter | null }
  | { readonly kind: 'scan'; readonly line: Line }
  | { readonly kind: 'moves'; readonly from: Square };

/** The words of a language by which questions are asked. */
export interface AskingWords {
  /** The possible beginnings of a query. */
  readonly commands: Readonly<Record<QuestionKind, readonly string[]>>;
  readonly colors: Readonly<Record<Color, string>>;
  readonly roles: Readonly<Record<RoleLetter, string>>;
}

const SQUARE = /^[a-n](?:1[0-4]|[1-9])$/;
const KINDS: readonly QuestionKind[] = ['clocks', 'last', 'pieces', 'scan', 'moves', 'board', 'who', 'reserve', 'help'];
/** Letters stand for pieces in every language, as in the list of moves. */
const LETTERS = /^[kqrbnp]$/;

/**
 * Reads what was typed as a question, `null` if it does not begin like one; `unclear` names the question whose rest is not
 * understood. `words` are those of the user's language and, behind them, others that are taken too.
 */
export function readQuestion(typed: string, words: readonly AskingWords[]): Question | { readonly unclear: QuestionKind } | null {
  const [command = '', ...rest] = typed.trim().split(/\s+/).map(plain);
  const kind = KINDS.find((one) => words.some(({ commands }) => commands[one].some((word) => plain(word) === command)));
  if (kind === undefined) return null;
  return understood(kind, rest, words) ?? { unclear: kind };
}

function understood(kind: QuestionKind, rest: readonly string[], words: readonly AskingWords[]): Question | null {
  switch (kind) {
    case 'scan': {
      const line = lineOf(rest);
      return line === null ? null : { kind, line };
    }
    case 'moves': {
      const [from = ''] = rest;
      return SQUARE.test(from) && rest.length === 1 ? { kind, from } : null;
    }
    case 'last': {
      const color = colorIn(rest, words);
      return rest.length > 0 && color === null ? null : { kind, color };
    }
    case 'pieces': {
      const [color, role] = [colorIn(rest, words), roleIn(rest, words)];
      return rest.length > (color === null ? 0 : 1) + (role === null ? 0 : 1) ? null : { kind, color, role };
    }
    default:
      return rest.length === 0 ? { kind } : null;
  }
}

function lineOf([first = '', second]: readonly string[]): Line | null {
  if (/^[a-n]$/.test(first)) return { kind: 'file', name: first };
  if (/^(?:1[0-4]|[1-9])$/.test(first)) return { kind: 'rank', name: first };
  if (!SQUARE.test(first)) return null;
  if (second === undefined) return { kind: 'diagonal', through: first, leans: ['/', '\\'] };
  return second === '/' || second === '\\' ? { kind: 'diagonal', through: first, leans: [second] } : null;
}

function colorIn(rest: readonly string[], words: readonly AskingWords[]): Color | null {
  const named = words.flatMap(({ colors }) => Object.entries(colors) as [Color, string][]);
  return named.find(([, name]) => rest.some((word) => word.length > 1 && word.startsWith(plain(name))))?.[0] ?? null;
}

function roleIn(rest: readonly string[], words: readonly AskingWords[]): RoleLetter | null {
  const letter = rest.find((word) => LETTERS.test(word));
  if (letter !== undefined) return letter.toUpperCase() as RoleLetter;
  const named = words.flatMap(({ roles }) => Object.entries(roles) as [RoleLetter, string][]);
  return named.find(([, name]) => rest.some((word) => word.startsWith(plain(name))))?.[0] ?? null;
}

/** In small letters and without accents, as people type. */
function plain(word: string): string {
  return word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** The squares of a board along a line, from Red's or White's left or from its edge on. */
export function squaresOn(board: BoardView, line: Line): Square[] {
  const holes = new Set(board.holes);
  const all = Array.from({ length: board.files }, (_, file) =>
    Array.from({ length: board.ranks }, (__, rank) => ({ name: `${String.fromCodePoint(0x61 + file)}${rank + 1}`, file, rank })),
  ).flat();
  const through = line.kind === 'diagonal' ? all.find(({ name }) => name === line.through) : undefined;
  const isOn = ({ name, file, rank }: (typeof all)[number]): boolean => {
    if (line.kind === 'file') return name.startsWith(line.name);
    if (line.kind === 'rank') return name.slice(1) === line.name;
    if (through === undefined) return false;
    const [across, up] = [file - through.file, rank - through.rank];
    return line.leans.some((lean) => (lean === '/' ? across === up : across === -up));
  };
  return all.filter((one) => !holes.has(one.name) && isOn(one)).map(({ name }) => name);
}
