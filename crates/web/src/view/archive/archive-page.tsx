import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { UserId, UserView, Variant } from '../../protocol/generated.ts';
import { VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { MatchList } from './match-list.tsx';
import { useMatchPages } from './use-match-pages.ts';

/** Characters of a name, at most. */
const LONGEST_NAME = 24;

interface ArchiveProps {
  readonly variant: Variant | null;
  readonly user: UserId | null;
  /** Beginning of a player's name. */
  readonly player: string | null;
}

/** All matches that one may see, newest first, by variant, by user and by name. What is chosen stands in the address. */
export function ArchivePage({ variant, user, player }: ArchiveProps): JSX.Element {
  const client = useClient();
  const me = client.user.value;
  const pages = useMatchPages(variant, user, player);
  useTitle(text.archive.title);
  const named = usePlayer(user);

  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{text.archive.title}</h1>
        <p class="quiet">{text.archive.tagline}</p>
      </header>
      <nav class="filters" aria-label={text.archive.filters}>
        <ul class="chips">
          <Chip href={addressOf({ variant: null, user, player })} chosen={variant === null} words={text.archive.allVariants} />
          {VARIANTS.map((one) => (
            <Chip key={one} href={addressOf({ variant: one, user, player })} chosen={variant === one} words={text.variants[one].name} />
          ))}
        </ul>
        <ul class="chips">
          <Chip href={addressOf({ variant, user: null, player })} chosen={user === null} words={text.archive.everybody} />
          {me !== null && (
            <Chip href={addressOf({ variant, user: me.id, player })} chosen={user === me.id} words={text.archive.mine} />
          )}
          {named !== null && named.id !== me?.id && (
            <Chip href={addressOf({ variant, user: named.id, player })} chosen words={named.name} />
          )}
        </ul>
      </nav>
      <Search key={player} player={player} onSearch={(wanted) => goTo(addressOf({ variant, user, player: wanted }))} />
      <MatchList pages={pages} none={<None filtered={variant !== null || user !== null || player !== null} />} />
    </main>
  );
}

interface SearchProps {
  readonly player: string | null;
  readonly onSearch: (player: string | null) => void;
}

/** Looks for matches by how a player's name begins; an empty field finds all again. */
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
          maxLength={LONGEST_NAME}
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

function Chip({ href, chosen, words }: { href: string; chosen: boolean; words: string }): JSX.Element {
  return (
    <li>
      <a class="chip" href={href} aria-current={chosen ? 'true' : undefined}>
        {words}
      </a>
    </li>
  );
}

function None({ filtered }: { filtered: boolean }): JSX.Element {
  return (
    <>
      <p>{filtered ? text.archive.noneFiltered : text.archive.none}</p>
      <a class="button" href={filtered ? '/archive' : '/'}>
        {filtered ? text.archive.showAll : text.toLobby}
      </a>
    </>
  );
}

/** The player that is asked for, to be named. */
function usePlayer(user: UserId | null): UserView | null {
  const client = useClient();
  const [found, setFound] = useState<UserView | null>(null);
  useEffect(() => {
    if (user === null) return;
    client.api.userPage(user).then(
      (page) => setFound(page.user),
      // The list itself says that there is nothing.
      () => undefined,
    );
  }, [client, user]);
  return found?.id === user ? found : null;
}

function addressOf({ variant, user, player }: ArchiveProps): string {
  const query = new URLSearchParams();
  if (variant !== null) query.set('variant', variant);
  if (user !== null) query.set('user', user);
  if (player !== null) query.set('player', player);
  return query.size === 0 ? '/archive' : `/archive?${query.toString()}`;
}
