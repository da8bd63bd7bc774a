import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { UserId, UserView, Variant } from '../../protocol/generated.ts';
import { VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { FilterLink } from '../filter-link.tsx';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { MatchList } from './match-list.tsx';
import { useMatchPages } from './use-match-pages.ts';

/** The length of the longest name, in characters. */
const MAX_NAME_LENGTH = 24;

interface ArchiveProps {
  readonly variant: Variant | null;
  readonly user: UserId | null;
  /** The first letters of a player's name. */
  readonly player: string | null;
}

/**
 * The page of the archive: all visible matches, newest first, with filters by variant, user and
 * name. The address contains the filters.
 */
export function ArchivePage({ variant, user, player }: ArchiveProps): JSX.Element {
  const client = useClient();
  const currentUser = client.user.value;
  const pages = useMatchPages(variant, user, player);
  useTitle(text.archive.title);
  const selectedPlayer = useUser(user);

  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{text.archive.title}</h1>
        <p class="quiet">{text.archive.tagline}</p>
      </header>
      <nav class="filters" aria-label={text.archive.filters}>
        <ul class="chips">
          <FilterLink href={archiveAddress({ variant: null, user, player })} chosen={variant === null} words={text.archive.allVariants} />
          {VARIANTS.map((one) => (
            <FilterLink key={one} href={archiveAddress({ variant: one, user, player })} chosen={variant === one} words={text.variants[one].name} />
          ))}
        </ul>
        <ul class="chips">
          <FilterLink href={archiveAddress({ variant, user: null, player })} chosen={user === null} words={text.archive.everybody} />
          {currentUser !== null && (
            <FilterLink href={archiveAddress({ variant, user: currentUser.id, player })} chosen={user === currentUser.id} words={text.archive.mine} />
          )}
          {selectedPlayer !== null && selectedPlayer.id !== currentUser?.id && (
            <FilterLink href={archiveAddress({ variant, user: selectedPlayer.id, player })} chosen words={nameOf(selectedPlayer)} />
          )}
        </ul>
      </nav>
      <Search key={player} player={player} onSearch={(wanted) => goTo(archiveAddress({ variant, user, player: wanted }))} />
      <MatchList pages={pages} emptyMessage={<NoMatches filtered={variant !== null || user !== null || player !== null} />} />
    </main>
  );
}

interface SearchProps {
  readonly player: string | null;
  readonly onSearch: (player: string | null) => void;
}

/** The search by the first letters of a player's name. An empty field removes the filter. */
function Search({ player, onSearch }: SearchProps): JSX.Element {
  const [typed, setTyped] = useState(player ?? '');
  const submit = (event: Event): void => {
    event.preventDefault();
    onSearch(typed.trim() === '' ? null : typed.trim());
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label for="player">{text.archive.player}</label>
        <input
          id="player"
          class="input"
          type="search"
          data-testid="player"
          value={typed}
          maxLength={MAX_NAME_LENGTH}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button" data-testid="search">
          {text.archive.search}
        </button>
        {player !== null && (
          <button type="button" class="button" data-testid="search-end" onClick={() => onSearch(null)}>
            {text.archive.anyPlayer}
          </button>
        )}
      </form>
    </search>
  );
}

function NoMatches({ filtered }: { filtered: boolean }): JSX.Element {
  return (
    <>
      <p>{filtered ? text.archive.noneFiltered : text.archive.none}</p>
      <a class="button" href={filtered ? '/archive' : '/'}>
        {filtered ? text.archive.showAll : text.toLobby}
      </a>
    </>
  );
}

/** Returns the user of the filter, for the display of the name. */
function useUser(user: UserId | null): UserView | null {
  const client = useClient();
  const [found, setFound] = useState<UserView | null>(null);
  useEffect(() => {
    if (user === null) return;
    client.api.userPage(user).then(
      (page) => setFound(page.user),
      // The list of matches reports the failure.
      () => undefined,
    );
  }, [client, user]);
  return found?.id === user ? found : null;
}

function archiveAddress({ variant, user, player }: ArchiveProps): string {
  const query = new URLSearchParams();
  if (variant !== null) query.set('variant', variant);
  if (user !== null) query.set('user', user);
  if (player !== null) query.set('player', player);
  return query.size === 0 ? '/archive' : `/archive?${query.toString()}`;
}
