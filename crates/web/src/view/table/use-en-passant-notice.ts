import { useEffect } from 'preact/hooks';
import type { TableState } from '../../store/table.ts';
import { parseMove } from '../../store/moves.ts';
import { useClient } from '../context.ts';

/** The storage key of the fact that the user has seen the explanation. */
const STORAGE_KEY = 'quadrex.explained.en-passant';

/**
 * Explains, the first time that a neighbor's pawn has passed a pawn of the viewer, why it cannot be
 * captured, although ordinary chess allows a capture en passant there.
 */
export function useEnPassantNotice(state: TableState | null): void {
  const client = useClient();
  const [mv] = state?.hints.neighbor_en_passant ?? [];
  useEffect(() => {
    const square = mv === undefined ? undefined : parseMove(mv)?.to;
    if (square === undefined || client.persistence.get(STORAGE_KEY) !== null) return;
    client.persistence.set(STORAGE_KEY, 'yes');
    client.notify({ kind: 'neighbor_en_passant', square }, null);
  }, [client, mv]);
}
