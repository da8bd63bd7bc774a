import type { ConditionalBoard, ConditionalMoves, Exploration, SetConditionalMoves, TableId } from '../protocol/generated.ts';
import { post, requestJson, sendJson } from './http.ts';

/** The HTTP routes of conditional moves. */
export interface ConditionalApi {
  /** Returns the user's conditional moves in the current match of a table. */
  own(table: TableId): Promise<ConditionalMoves>;
  /** Replaces the conditional moves of a seat. */
  set(table: TableId, moves: SetConditionalMoves): Promise<ConditionalMoves>;
  /** Returns the position after the steps of a line, with the legal moves there. */
  board(table: TableId, board: ConditionalBoard, signal?: AbortSignal): Promise<Exploration>;
}

/** The routes of the server that this page came from. */
export const httpConditionalApi: ConditionalApi = {
  own: (table) => requestJson(`/api/tables/${table}/conditional-moves`),
  set: (table, moves) => sendJson('PUT', `/api/tables/${table}/conditional-moves`, moves),
  board: (table, board, signal) => post(`/api/tables/${table}/conditional-moves/board`, board, signal),
};
