import type { Color, Square } from '../../protocol/generated.ts';
import { parseMove } from '../../store/moves.ts';
import { colorOf, roleOf, type RoleLetter } from '../../store/pieces.ts';
import { squaresOn, type BoardLine, type Query, type QueryKind } from '../../store/table-queries.ts';
import type { TableState } from '../../store/table.ts';
import { playerAt, seatTime } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { lastSentence, eventSentence } from '../../text/sentence.ts';
import { clockText } from './clock.tsx';

/** The roles in the order in which they are read out. */
const ROLES: readonly RoleLetter[] = ['K', 'Q', 'R', 'B', 'N', 'P'];

/**
 * Returns the answer to a question about a table at a local time; several lines for a long answer.
 */
export function answer(question: Query, state: TableState, now_ms: number): string[] {
  switch (question.kind) {
    case 'clocks':
      return clocks(state, now_ms);
    case 'last':
      return [lastOf(state, question.color)];
    case 'pieces':
      return army(state, question.color, question.role);
    case 'board':
      return army(state, null, null);
    case 'scan':
      return [scan(state, question.line)];
    case 'moves':
      return [movesFrom(state, question.from)];
    case 'who':
      return state.seats.map(({ color }) => who(state, color));
    case 'reserve':
      return reserves(state);
    case 'help':
      return Object.values(text.queries.examples);
  }
}

/** Returns the correct form of a question, for an unclear one. */
export function unclear(kind: QueryKind): string {
  return text.queries.unclear(text.queries.examples[kind]);
}

function clocks(state: TableState, now_ms: number): string[] {
  const times = state.seats.flatMap(({ color }) => {
    const time = seatTime(state, color, now_ms);
    if (time === null) return [];
    return [`${text.colors[color]} ${clockText(time.left_ms)}${time.running ? ` (${text.queries.running})` : ''}`];
  });
  return times.length === 0 ? [text.queries.noClocks] : [times.join(', ')];
}

function lastOf(state: TableState, color: Color | null): string {
  if (color === null) return lastSentence(state) || text.queries.noLast;
  const ply = state.plies.findLast((one) => one.color === color);
  const entry = state.history.find(({ seq }) => seq === ply?.seq);
  return entry === undefined ? text.queries.noLast : eventSentence(entry, state);
}

/** `Red: king g1; rooks ...`, a line for each color that has such pieces. */
function army(state: TableState, only: Color | null, role: RoleLetter | null): string[] {
  const lines = state.seats
    .filter(({ color }) => only === null || color === only)
    .flatMap(({ color }) => {
      const kinds = ROLES.filter((one) => role === null || one === role).flatMap((one) => {
        const squares = squaresWith(state, color, one);
        return squares.length === 0 ? [] : [`${text.roles[one]} ${squares.join(' ')}`];
      });
      return kinds.length === 0 ? [] : [`${text.colors[color]}: ${kinds.join(', ')}`];
    });
  return lines.length === 0 ? [text.queries.nothing] : lines;
}

function squaresWith(state: TableState, color: Color, role: RoleLetter): Square[] {
  return Object.keys(state.pieces).filter((square) => {
    const piece = state.pieces[square] ?? '';
    return roleOf(piece) === role && colorOf(piece, state.seats) === color;
  });
}

function scan(state: TableState, line: BoardLine): string {
  const squares = squaresOn(state.board, line);
  if (squares.length === 0) return text.queries.noSquare(line.kind === 'diagonal' ? line.through : line.name);
  const held = squares.flatMap((square) => {
    const piece = pieceOn(state, square);
    return piece === null ? [] : [`${square} ${piece}`];
  });
  const title = line.kind === 'diagonal' ? text.queries.diagonal(line.through) : text.queries[line.kind](line.name);
  if (held.length === 0) return `${title}: ${text.queries.empty}`;
  return `${title}: ${[...held, ...(held.length < squares.length ? [text.queries.otherwise] : [])].join(', ')}`;
}

function pieceOn(state: TableState, square: Square): string | null {
  const piece = state.pieces[square];
  const [color, role] = piece === undefined ? [null, null] : [colorOf(piece, state.seats), roleOf(piece)];
  return color === null || role === null ? null : text.square.piece(color, role);
}

/** Where a piece may go, as far as the server has listed: it tells whoever is to move. */
function movesFrom(state: TableState, from: Square): string {
  const piece = pieceOn(state, from);
  if (piece === null) return text.queries.noPiece(from);
  if (state.legal.length === 0) return text.queries.movesHidden;
  const targets = new Set(state.legal.flatMap((mv) => {
    const parts = parseMove(mv);
    return parts?.from === from ? [parts.to] : [];
  }));
  if (targets.size === 0) return text.queries.noMoves(piece, from);
  const listed = [...targets].map((to) => {
    const taken = pieceOn(state, to);
    return taken === null ? to : text.queries.takes(to, taken);
  });
  return `${text.queries.movesOf(piece, from)}: ${listed.join(', ')}`;
}

/** `Blue: Ada, you, to move, in check`. */
function who(state: TableState, color: Color): string {
  const seat = state.seats.find((one) => one.color === color);
  const out = state.state.eliminated.find((one) => one.color === color);
  const player = playerAt(state, color);
  const rank = state.state.outcome?.places[color];
  const said = [seat?.user?.name ?? text.table.open];
  if (state.ownSeats.includes(color)) said.push(text.queries.you);
  if (rank !== undefined) said.push(text.place(rank));
  if (out !== undefined) said.push(text.causes[out.cause]);
  if (state.state.turn === color) said.push(text.queries.toMove);
  if (state.state.checks.includes(color)) said.push(text.queries.inCheck);
  if (player !== null && player.presence !== 'connected') said.push(text.table.presence[player.presence]);
  return `${text.colors[color]}: ${said.join(', ')}`;
}

function reserves(state: TableState): string[] {
  const lines = state.seats.flatMap(({ color }) => {
    const reserve = state.state.reserves?.[color];
    if (reserve === undefined) return [];
    const kinds = [['R', reserve.rooks], ['B', reserve.bishops], ['N', reserve.knights]] as const;
    const held = kinds.filter(([, count]) => count > 0).map(([role, count]) => `${count} ${text.roles[role]}`);
    return [`${text.colors[color]}: ${held.length === 0 ? text.queries.none : held.join(', ')}`];
  });
  return lines.length === 0 ? [text.queries.noReserve] : lines;
}
