import type { JSX } from 'preact';
import type { PairView } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { LoadError } from '../load-error.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { AdminNav } from './admin-nav.tsx';

/** The list of the pairs of players who spare each other, the most conspicuous first. */
export function PairsPage({ api }: { api: AdminApi }): JSX.Element {
  const words = text.pairs;
  const { value, error, retry } = useLoaded(() => api.pairs(), 'pairs');
  useTitle(text.admin.lists.pairs);
  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{text.admin.title}</h1>
        <p class="quiet">{text.admin.tagline}</p>
      </header>
      <AdminNav current="pairs" />
      <section class="admin-users" aria-label={text.admin.lists.pairs} aria-busy={value === null && error === null} data-testid="pairs">
        <p class="quiet">{words.hint}</p>
        {error !== null && <LoadError error={error} onRetry={retry} />}
        {value?.pairs.length === 0 && <p class="empty">{words.none}</p>}
        {value !== null && value.pairs.length > 0 && (
          <ul class="session-list">
            {value.pairs.map((pair) => (
              <PairRow key={`${pair.a.id} ${pair.b.id}`} pair={pair} />
            ))}
          </ul>
        )}
      </section>
    </main>
  );
}

function PairRow({ pair: { a, b, matches, spares, last_ms } }: { pair: PairView }): JSX.Element {
  const words = text.pairs;
  return (
    <li class="session" data-testid="pair-row">
      <span class="session-text">
        <a class="session-name" href={`/admin/pairs/${a.id}/${b.id}`}>
          {text.list([nameOf(a), nameOf(b)])}
        </a>
        <span class="quiet">{[words.score(text.number(spares)), words.matches(matches), words.last(text.day(last_ms))].join(' · ')}</span>
      </span>
    </li>
  );
}
