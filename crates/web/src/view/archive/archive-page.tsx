import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { UserId, UserView, Variant } from '../../protocol/generated.ts';
import { VARIANTS } from '../../store/query.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useTitle } from '../title.ts';
import { MatchList } from './match-list.tsx';
import { useMatchPages } from './use-match-pages.ts';

interface ArchiveProps {
  readonly variant: Variant | null;
  readonly user: UserId | null;
}

/** All matches that one may see, newest first, by variant and by player. What is chosen stands in the address. */
export function ArchivePage({ variant, user }: ArchiveProps): JSX.Element {
  const client = useClient();
  const me = client.user.value;
  const pages = useMatchPages(variant, user);
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
          <Chip href={addressOf({ variant: null, user })} chosen={variant === null} words={text.archive.allVariants} />
          {VARIANTS.map((one) => (
            <Chip key={one} href={addressOf({ variant: one, user })} chosen={variant === one} words={text.variants[one].name} />
          ))}
        </ul>
        <ul class="chips">
          <Chip href={addressOf({ variant, user: null })} chosen={user === null} words={text.archive.everybody} />
          {me !== null && (
            <Chip href={addressOf({ variant, user: me.id })} chosen={user === me.id} words={text.archive.mine} />
          )}
          {named !== null && named.id !== me?.id && (
            <Chip href={addressOf({ variant, user: named.id })} chosen words={named.name} />
          )}
        </ul>
      </nav>
      <MatchList pages={pages} none={<None filtered={variant !== null || user !== null} />} />
    </main>
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

function addressOf({ variant, user }: ArchiveProps): string {
  const query = new URLSearchParams();
  if (variant !== null) query.set('variant', variant);
  if (user !== null) query.set('user', user);
  return query.size === 0 ? '/archive' : `/archive?${query.toString()}`;
}
