import type { JSX } from 'preact';
import { Refusal } from '../../connection/outbox.ts';
import type { PairCount, PairView, UserId, UserView } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { MatchCard } from '../archive/match-card.tsx';
import { LoadError } from '../load-error.tsx';
import { NotFound } from '../not-found.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { UserName } from '../user-name.tsx';

/** The kinds of actions of a player against another one. */
const ACTIONS = ['captures', 'checks', 'eliminations'] as const;

/** The page about a pair of players: their actions against each other, and their matches. */
export function PairPage({ api, a, b }: { api: AdminApi; a: UserId; b: UserId }): JSX.Element {
  const words = text.pairs;
  const { value, error, retry } = useLoaded(() => api.pair(a, b), `${a} ${b}`);
  const title = value === null ? text.admin.lists.pairs : text.list([nameOf(value.pair.a), nameOf(value.pair.b)]);
  useTitle(title);
  if (error instanceof Refusal && error.code === 'not_found') return <NotFound />;
  return (
    <main id="content" class="archive" aria-busy={value === null && error === null}>
      <header class="page-head" data-testid="pair">
        <h1>{value === null ? '…' : title}</h1>
        <p class="quiet">
          <a href="/admin/pairs">{text.admin.lists.pairs}</a>
        </p>
      </header>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {value !== null && (
        <>
          <PairFacts pair={value.pair} />
          <section class="tables">
            <h2>{words.together}</h2>
            <ul class="match-cards">
              {value.matches.map((summary) => (
                <MatchCard key={summary.match} summary={summary} />
              ))}
            </ul>
          </section>
        </>
      )}
    </main>
  );
}

function PairFacts({ pair: { a, b, matches, spares, a_to_b, b_to_a } }: { pair: PairView }): JSX.Element {
  const words = text.pairs;
  return (
    <section class="tables">
      <p>{[words.score(text.number(spares)), words.matches(matches)].join(' · ')}</p>
      <p class="quiet">{words.hint}</p>
      <div class="admin-users">
        <PairTable from={a} against={b} counts={a_to_b} />
        <PairTable from={b} against={a} counts={b_to_a} />
      </div>
    </section>
  );
}

/** The actions of a player against another one, and the number that was to be expected. */
function PairTable({ from, against, counts }: { from: UserView; against: UserView; counts: PairCount }): JSX.Element {
  const words = text.pairs;
  const actual: Readonly<Record<(typeof ACTIONS)[number], readonly [number, number]>> = {
    captures: [counts.captures, counts.expected_captures],
    checks: [counts.checks, counts.expected_checks],
    eliminations: [counts.eliminations, counts.expected_eliminations],
  };
  return (
    <table class="rating-table pair-table" data-testid="pair-counts">
      <caption>
        <a href={`/admin/u/${from.id}`}>
          <UserName user={from} />
        </a>{' '}
        {words.against(nameOf(against))}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.action}</th>
          <th scope="col" class="amount">
            {words.actual}
          </th>
          <th scope="col" class="amount">
            {words.expected}
          </th>
        </tr>
      </thead>
      <tbody>
        {ACTIONS.map((action) => (
          <tr key={action}>
            <th scope="row">{words.actions[action]}</th>
            <td class="amount">{text.number(actual[action][0])}</td>
            <td class="amount">{text.number(actual[action][1])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
