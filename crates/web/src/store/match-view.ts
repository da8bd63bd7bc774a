import type { MatchView } from '../protocol/generated.ts';
import { foldTable, type TableState } from './table.ts';

/** Returns the table state of an archived match. Nobody is seated at it and no moves are legal. */
export function stateOfMatch({ table, match, seq, view }: MatchView, now_ms: number): TableState {
  const seen = { ...view, your_seats: [], legal_moves: [] };
  const result = foldTable(null, { t: 'snapshot', table, match, seq, view: seen }, { viewer: null, now_ms });
  if (result.kind !== 'changed') throw new Error('a first snapshot is always taken in');
  return result.state;
}
