import type { BoardView, Color, Square } from '../protocol/generated.ts';
import type { RoleLetter } from './pieces.ts';

/** The kinds of queries about a table that can be typed into the move field. */
export type QueryKind = 'clocks' | 'last' | 'pieces' | 'scan' | 'moves' | 'board' | 'who' | 'reserve' | 'help';

/** A line of squares to read out: a file, a rank, or one or both diagonals through a square. */
export type BoardLine =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'rank'; readonly name: string }
  | { readonly kind: 'diagonal'; readonly through: Square; readonly directions: readonly DiagonalDirection[] };

/**
 * The direction of a diagonal as Red or White sees the board: `/` rises to the right, `\` falls to
 * the right.
 */
export type DiagonalDirection = '/' | '\\';

/** A parsed query. */
export type Query =
  | { readonly kind: 'clocks' | 'board' | 'who' | 'reserve' | 'help' }
  | { readonly kind: 'last'; readonly color: Color | null }
  | { readonly kind: 'pieces'; readonly color: Color | null; readonly role: RoleLetter | null }
  | { readonly kind: 'scan'; readonly line: BoardLine }
  | { readonly kind: 'moves'; readonly from: Square };

/** The words of a language for queries. */
export interface QueryWords {
  /** The words that may begin a query. */
  readonly commands: Readonly<Record<QueryKind, readonly string[]>>;
  readonly colors: Readonly<Record<Color, string>>;
  readonly roles: Readonly<Record<RoleLetter, string>>;
}

const SQUARE = /^[a-n](?:1[0-4]|[1-9])$/;
const QUERY_KINDS: readonly QueryKind[] = ['clocks', 'last', 'pieces', 'scan', 'moves', 'board', 'who', 'reserve', 'help'];
/** The letter of a role. Like the move list, queries use the same letters in every language. */
const ROLE_LETTER = /^[kqrbnp]$/;

/**
 * Parses a typed query. Returns `null` if the text does not begin with the word of a query. If the
 * word is known but the arguments are not understood, returns the kind of query as `unclear`.
 * `words` contains the words of the user's language, followed by the words of other languages,
 * which are accepted too.
 */
export function parseQuery(typed: string, words: readonly QueryWords[]): Query | { readonly unclear: QueryKind } | null {
  const [command = '', ...rest] = typed.trim().split(/\s+/).map(normalize);
  const kind = QUERY_KINDS.find((one) => words.some(({ commands }) => commands[one].some((word) => normalize(word) === command)));
  if (kind === undefined) return null;
  return parseArguments(kind, rest, words) ?? { unclear: kind };
}

function parseArguments(kind: QueryKind, rest: readonly string[], words: readonly QueryWords[]): Query | null {
  switch (kind) {
    case 'scan': {
      const line = parseLine(rest);
      return line === null ? null : { kind, line };
    }
    case 'moves': {
      const [from = ''] = rest;
      return SQUARE.test(from) && rest.length === 1 ? { kind, from } : null;
    }
    case 'last': {
      const color = findColor(rest, words);
      return rest.length > 0 && color === null ? null : { kind, color };
    }
    case 'pieces': {
      const [color, role] = [findColor(rest, words), findRole(rest, words)];
      return rest.length > (color === null ? 0 : 1) + (role === null ? 0 : 1) ? null : { kind, color, role };
    }
    default:
      return rest.length === 0 ? { kind } : null;
  }
}

function parseLine([first = '', second]: readonly string[]): BoardLine | null {
  if (/^[a-n]$/.test(first)) return { kind: 'file', name: first };
  if (/^(?:1[0-4]|[1-9])$/.test(first)) return { kind: 'rank', name: first };
  if (!SQUARE.test(first)) return null;
  if (second === undefined) return { kind: 'diagonal', through: first, directions: ['/', '\\'] };
  return second === '/' || second === '\\' ? { kind: 'diagonal', through: first, directions: [second] } : null;
}

function findColor(rest: readonly string[], words: readonly QueryWords[]): Color | null {
  const namedColors = words.flatMap(({ colors }) => Object.entries(colors) as [Color, string][]);
  return namedColors.find(([, name]) => rest.some((word) => word.length > 1 && word.startsWith(normalize(name))))?.[0] ?? null;
}

function findRole(rest: readonly string[], words: readonly QueryWords[]): RoleLetter | null {
  const letter = rest.find((word) => ROLE_LETTER.test(word));
  if (letter !== undefined) return letter.toUpperCase() as RoleLetter;
  const namedRoles = words.flatMap(({ roles }) => Object.entries(roles) as [RoleLetter, string][]);
  return namedRoles.find(([, name]) => rest.some((word) => word.startsWith(normalize(name))))?.[0] ?? null;
}

/** Returns a word in lower case and without accents. */
function normalize(word: string): string {
  return word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/**
 * Returns the squares of a board along a line, from left to right. A file is read upwards. Left,
 * right and up are meant as Red or White sees the board.
 */
export function squaresOn(board: BoardView, line: BoardLine): Square[] {
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
    return line.directions.some((direction) => (direction === '/' ? across === up : across === -up));
  };
  return all.filter((one) => !holes.has(one.name) && isOn(one)).map(({ name }) => name);
}
