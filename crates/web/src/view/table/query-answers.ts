import type { Color, Square } from '../../protocol/generated.ts';
import { parseMove } from '../../store/moves.ts';
import { colorOf, roleOf, type RoleLetter } from '../../store/pieces.ts';
import { squaresOn, type BoardLine, type Query, type QueryKind } from '../../store/table-queries.ts';
import type { TableState } from '../../store/table.ts';
import { playerAt, seatTime } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { lastSentence, eventSentence } from '../../text/sentence.ts';
import { clockText } from './clock.tsx';

/** The roles in the order in which they are read out. */
const ROLES: readonly RoleLetter[] = ['K', 'Q', 'R', 'B', 'N', 'P'];

/** Returns the lines of the answer to a query about a table at a local time. */
export function answerQuery(query: Query, state: TableState, now_ms: number): string[] {
  switch (query.kind) {
    case 'clocks':
      return describeClocks(state, now_ms);
    case 'last':
      return [describeLastMove(state, query.color)];
    case 'pieces':
      return describePieces(state, query.color, query.role);
    case 'board':
      return describePieces(state, null, null);
    case 'scan':
      return [describeLine(state, query.line)];
    case 'moves':
      return [describeMoves(state, query.from)];
    case 'who':
      return state.seats.map(({ color }) => describePlayer(state, color));
    case 'reserve':
      return describeReserves(state);
    case 'help':
      return Object.values(text.queries.examples);
  }
}

/**
 * Returns an example of a kind of query. It is displayed if the arguments of a query were not
 * understood.
 */
export function usageHint(kind: QueryKind): string {
  return text.queries.unknownCommand(text.queries.examples[kind]);
}

function describeClocks(state: TableState, now_ms: number): string[] {
  const times = state.seats.flatMap(({ color }) => {
    const time = seatTime(state, color, now_ms);
    if (time === null) return [];
    return [`${text.colors[color]} ${clockText(time.left_ms)}${time.running ? ` (${text.queries.running})` : ''}`];
  });
  return times.length === 0 ? [text.queries.noClocks] : [times.join(', ')];
}

function describeLastMove(state: TableState, color: Color | null): string {
  if (color === null) return lastSentence(state) || text.queries.noSuchMove;
  const ply = state.plies.findLast((one) => one.color === color);
  const entry = state.history.find(({ seq }) => seq === ply?.seq);
  return entry === undefined ? text.queries.noSuchMove : eventSentence(entry, state);
}

/** Returns the pieces of each color: `Red: king g1, rooks f1 h1`. */
function describePieces(state: TableState, only: Color | null, role: RoleLetter | null): string[] {
  const lines = state.seats
    .filter(({ color }) => only === null || color === only)
    .flatMap(({ color }) => {
      const kinds = ROLES.filter((one) => role === null || one === role).flatMap((one) => {
        const squares = squaresWith(state, color, one);
        return squares.length === 0 ? [] : [`${text.roles[one]} ${squares.join(' ')}`];
      });
      return kinds.length === 0 ? [] : [`${text.colors[color]}: ${kinds.join(', ')}`];
    });
  return lines.length === 0 ? [text.queries.noSuchPieces] : lines;
}

function squaresWith(state: TableState, color: Color, role: RoleLetter): Square[] {
  return Object.keys(state.pieces).filter((square) => {
    const piece = state.pieces[square] ?? '';
    return roleOf(piece) === role && colorOf(piece, state.seats) === color;
  });
}

function describeLine(state: TableState, line: BoardLine): string {
  const squares = squaresOn(state.board, line);
  if (squares.length === 0) return text.queries.noSquare(line.kind === 'diagonal' ? line.through : line.name);
  const occupied = squares.flatMap((square) => {
    const piece = pieceText(state, square);
    return piece === null ? [] : [`${square} ${piece}`];
  });
  const title = line.kind === 'diagonal' ? text.queries.diagonal(line.through) : text.queries[line.kind](line.name);
  if (occupied.length === 0) return `${title}: ${text.queries.empty}`;
  return `${title}: ${[...occupied, ...(occupied.length < squares.length ? [text.queries.restEmpty] : [])].join(', ')}`;
}

function pieceText(state: TableState, square: Square): string | null {
  const piece = state.pieces[square];
  const [color, role] = piece === undefined ? [null, null] : [colorOf(piece, state.seats), roleOf(piece)];
  return color === null || role === null ? null : text.square.piece(color, role);
}

/** Returns the targets of a piece. The server lists legal moves only for the player to move. */
function describeMoves(state: TableState, from: Square): string {
  const piece = pieceText(state, from);
  if (piece === null) return text.queries.noPiece(from);
  if (state.legalMoves.length === 0) return text.queries.movesHidden;
  const targets = new Set(state.legalMoves.flatMap((mv) => {
    const parts = parseMove(mv);
    return parts?.from === from ? [parts.to] : [];
  }));
  if (targets.size === 0) return text.queries.noMoves(piece, from);
  const listed = [...targets].map((to) => {
    const captured = pieceText(state, to);
    return captured === null ? to : text.queries.captures(to, captured);
  });
  return `${text.queries.movesOf(piece, from)}: ${listed.join(', ')}`;
}

/** Returns the facts about a seat: `Blue: Ada, you, to move, in check`. */
function describePlayer(state: TableState, color: Color): string {
  const seat = state.seats.find((one) => one.color === color);
  const elimination = state.state.eliminated.find((one) => one.color === color);
  const player = playerAt(state, color);
  const rank = state.state.outcome?.places[color];
  const parts = [seat === undefined || seat.user === null ? text.table.openSeat : nameOf(seat.user)];
  if (state.ownSeats.includes(color)) parts.push(text.queries.you);
  if (rank !== undefined) parts.push(text.place(rank));
  if (elimination !== undefined) parts.push(text.causes[elimination.cause]);
  if (state.state.turn === color) parts.push(text.queries.toMove);
  if (state.state.checks.includes(color)) parts.push(text.queries.inCheck);
  if (player !== null && player.presence !== 'connected') parts.push(text.table.presence[player.presence]);
  return `${text.colors[color]}: ${parts.join(', ')}`;
}

function describeReserves(state: TableState): string[] {
  const lines = state.seats.flatMap(({ color }) => {
    const reserve = state.state.reserves?.[color];
    if (reserve === undefined) return [];
    const kinds = [['R', reserve.rooks], ['B', reserve.bishops], ['N', reserve.knights]] as const;
    const available = kinds.filter(([, count]) => count > 0).map(([role, count]) => text.roleCount(count, role));
    return [`${text.colors[color]}: ${available.length === 0 ? text.queries.none : available.join(', ')}`];
  });
  return lines.length === 0 ? [text.queries.noReserve] : lines;
}
