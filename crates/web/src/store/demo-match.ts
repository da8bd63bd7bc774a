import type { Entry, MatchView, Piece, Square, StateView, TableView } from '../protocol/generated.ts';
import recording from './demo-match.json';
import { parseMove } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';

/** A recorded match of the server's bots. */
interface Recording extends Pick<TableView, 'settings' | 'host' | 'board' | 'seats' | 'start'> {
  readonly state: StateView;
  /** The moves, separated by spaces. */
  readonly moves: string;
  /**
   * The changed squares of a move, by the number of the move, if it changes more than the two
   * squares of one moved piece. The changed squares of eliminations are stored by `e` and the
   * number of the move before them.
   */
  readonly changes: Readonly<Record<string, Record<Square, Piece | null>>>;
  /** The eliminations after a move, by its number. */
  readonly eliminated: Readonly<Record<string, readonly (readonly ['red' | 'blue' | 'yellow' | 'green', 'mate'])[]>>;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const COLORS = { r: 'red', b: 'blue', y: 'yellow', g: 'green' } as const;

/** Returns the recorded match as the server would return it. */
export function demoMatch(): MatchView {
  const { moves, changes, eliminated, settings, host, board, seats, start, state } = recording as unknown as Recording;
  const history: Entry[] = [];
  let pieces: Pieces = start;
  const add = (event: Entry['event'], squares: Record<Square, Piece | null>): void => {
    history.push({ seq: history.length + 1, at_ms: 0, event, squares });
    pieces = withChanges(pieces, squares);
  };
  moves.split(' ').forEach((move, index) => {
    const parts = parseMove(move);
    const piece = pieces[parts?.from ?? ''];
    if (parts === null || piece === undefined) return;
    const color = COLORS[piece.charAt(0) as keyof typeof COLORS];
    add({ type: 'moved', color, move }, changes[index + 1] ?? { [parts.from]: null, [parts.to]: piece });
    for (const [out, cause] of eliminated[index + 1] ?? []) {
      add({ type: 'eliminated', color: out, cause }, changes[`e${index + 1}`] ?? {});
    }
  });
  const view: TableView = { settings, host, board, seats, start, pieces, history, state, your_seats: [], players: [], spectators: 0 };
  return { table: NO_ID, match: NO_ID, seq: history.length, view };
}
