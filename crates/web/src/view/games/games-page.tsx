import type { JSX } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import { LiveTables } from '../../store/live-tables.ts';
import type { OwnTableState } from '../../store/own-tables.ts';
import { httpVacationApi, type VacationApi } from '../../store/vacation-api.ts';
import { ownGames } from '../../store/waiting-games.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useTabVisibility } from '../in-viewport.ts';
import { useTitle } from '../title.ts';
import { GameCard } from './game-card.tsx';
import { VacationCard } from './vacation-card.tsx';

/** The page of the user's unfinished matches. Those in which the user may move come first. */
export function GamesPage({ vacationApi = httpVacationApi }: { vacationApi?: VacationApi }): JSX.Element {
  const client = useClient();
  const words = text.games;
  useTitle(words.title);
  const live = useMemo(() => new LiveTables(client), [client]);
  useTabVisibility(useCallback((isVisible: boolean) => live.setPageVisible(isVisible), [live]));
  const tables = client.ownTables.value;
  const groups = ownGames(tables, client.user.value?.id ?? null);
  const group = (name: keyof typeof groups): JSX.Element | null =>
    groups[name].length === 0 ? null : <GameGroup name={name} live={live} tables={groups[name]} />;
  return (
    <main id="content" class="archive games-page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet" role="status" data-testid="waiting-count">
          {tables === null || tables.length === 0 ? '' : words.waiting(groups.yourMove.length)}
        </p>
      </header>
      {tables === null && (
        <p class="quiet" aria-busy="true">
          {words.loading}
        </p>
      )}
      {tables?.length === 0 && (
        <div class="empty" data-testid="no-games">
          <p>{words.none}</p>
          <a class="button primary" href="/">
            {words.start}
          </a>
        </div>
      )}
      {group('yourMove')}
      {group('theirMove')}
      {group('hosted')}
      {group('open')}
      {client.user.value !== null && <VacationCard api={vacationApi} />}
    </main>
  );
}

interface GameGroupProps {
  readonly name: keyof ReturnType<typeof ownGames>;
  readonly live: LiveTables;
  readonly tables: readonly OwnTableState[];
}

/** A group of own tables with its heading. */
function GameGroup({ name, live, tables }: GameGroupProps): JSX.Element {
  const id = `games-${name}`;
  return (
    <section class="tables" aria-labelledby={id} data-testid={id}>
      <h2 id={id}>{text.games.groups[name]}</h2>
      <ul class="games">
        {tables.map((table) => (
          <GameCard key={table.table} live={live} table={table} />
        ))}
      </ul>
    </section>
  );
}
