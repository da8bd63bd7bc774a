import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { TableId } from '../../protocol/generated.ts';
import { nextGame, waitingGames } from '../../store/waiting-games.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { page } from '../router.ts';

/**
 * The link of the header to the matches in which the user may move. On the page of a table it leads
 * to the next one of them, elsewhere to their list.
 */
export function WaitingLink(): JSX.Element | null {
  const { ownTables } = useClient();
  const { value: current } = page;
  const count = waitingGames(ownTables.value).length;
  useAppBadge(count);
  if (current.kind === 'table') return <NextGameLink open={current.table} />;
  if (count === 0) return null;
  return (
    <a class="waiting-link" href="/games" data-testid="waiting-games" data-count={count} title={text.games.waiting(count)}>
      <span class="waiting-words">{text.table.yourMove}</span>{' '}
      <span class="waiting-number">{text.number(count)}</span>
    </a>
  );
}

/** The link from the page of a table to the next match that waits for the user. */
function NextGameLink({ open }: { open: TableId }): JSX.Element | null {
  const next = nextGame(useClient().ownTables.value, open);
  if (next === null) return null;
  const { table, position, count } = next;
  const label = position === null ? text.games.nextOfWaiting(count) : text.games.nextAfter(position, count);
  return (
    <a class="waiting-link next-game" href={`/t/${table.table}`} data-testid="next-game" data-count={count} title={label}>
      <span class="waiting-words">{text.games.next}</span>{' '}
      <span class="waiting-number">{position === null ? text.number(count) : `${text.number(position)}/${text.number(count)}`}</span>
    </a>
  );
}

/** Shows a number at the icon of the installed client, in browsers that can do this. */
function useAppBadge(count: number): void {
  useEffect(() => {
    const { setAppBadge } = navigator as { setAppBadge?: (this: Navigator, count: number) => Promise<void> };
    // The badge only repeats what the page shows, so a refusal has no consequence.
    void setAppBadge?.call(navigator, count).catch(() => undefined);
  }, [count]);
}
