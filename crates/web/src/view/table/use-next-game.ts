import { useEffect, useRef } from 'preact/hooks';
import type { TableId } from '../../protocol/generated.ts';
import type { OwnTables } from '../../store/own-tables.ts';
import { nextGame } from '../../store/waiting-games.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';

/**
 * Opens the next match that waits for the user after the user has moved in a correspondence match,
 * if the user wants this.
 */
export function useNextGame(open: TableId): void {
  const { ownTables, preferences } = useClient();
  const tables = ownTables.value;
  const before = useRef<OwnTables>(null);
  useEffect(() => {
    const hasMoved = movedAt(open, before.current, tables);
    before.current = tables;
    if (!hasMoved || !preferences.nextGame.value || document.hidden) return;
    const next = nextGame(tables, open);
    if (next !== null) goTo(`/t/${next.table.table}`);
  }, [open, tables, preferences]);
}

/** Returns whether the user's turn at a correspondence table has ended with a move. */
function movedAt(open: TableId, before: OwnTables, now: OwnTables): boolean {
  const [earlier, later] = [before, now].map((tables) => tables?.find(({ table }) => table === open));
  if (earlier === undefined || later === undefined || later.settings.time.kind !== 'correspondence') return false;
  return earlier.match === later.match && earlier.your_move && !later.your_move && later.plies > earlier.plies;
}
