import { useEffect } from 'preact/hooks';
import type { TableState } from '../../store/table.ts';
import { parseMove } from '../../store/moves.ts';
import { useClient } from '../context.ts';

/** The key under which it is stored that the user has read the explanation. */
const STORAGE_KEY = 'quadrex.explained.en-passant';

/**
 * Explains once, when a neighbor's pawn has passed one of the viewer's, why it cannot be captured: elsewhere that is
 * en passant.
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
