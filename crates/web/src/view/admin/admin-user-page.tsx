import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AdminUserDetails, AdminWarning, UserId } from '../../protocol/generated.ts';
import { Refusal } from '../../connection/outbox.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { MatchCard } from '../archive/match-card.tsx';
import { LoadError } from '../load-error.tsx';
import { NotFound } from '../not-found.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { UserName } from '../user-name.tsx';
import { UserActions } from './user-actions.tsx';
import { kindOf, suspensionEnd } from './user-row.tsx';

/** The page with all that operators see about a user, and what they can do. */
export function AdminUserPage({ api, user }: { api: AdminApi; user: UserId }): JSX.Element {
  const words = text.admin;
  const { value: details, error, set, retry } = useLoaded(() => api.user(user), user);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(details === null ? words.title : nameOf(details.user));
  if (error instanceof Refusal && error.code === 'not_found') return <NotFound />;
  return (
    <main id="content" class="archive" aria-busy={details === null && error === null}>
      <header class="page-head" data-testid="admin-details">
        <h1 ref={heading} tabIndex={-1}>
          {details === null ? '…' : <UserName user={details.user} />}
        </h1>
        <p class="quiet">
          <a href="/admin">{words.title}</a>
        </p>
      </header>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {details !== null && (
        <>
          <Suspension details={details} />
          <UserActions
            api={api}
            details={details}
            onDone={(changed, done) => {
              set(changed);
              setResult(done);
              heading.current?.focus();
            }}
          />
          <p role="status" data-testid="admin-result">
            {result}
          </p>
          <Facts details={details} />
          <Warnings warnings={details.warnings ?? []} />
          <section class="tables">
            <h2>{words.matches}</h2>
            {details.matches.length === 0 ? (
              <p class="empty">{words.noMatches}</p>
            ) : (
              <ul class="match-cards">
                {details.matches.map((summary) => (
                  <MatchCard key={summary.match} summary={summary} />
                ))}
              </ul>
            )}
          </section>
        </>
      )}
    </main>
  );
}

/** The suspension of a user, if there is one. */
function Suspension({ details: { suspension, suspended_by } }: { details: AdminUserDetails }): JSX.Element | null {
  if (suspension === undefined) return null;
  return (
    <section class="card" aria-label={text.admin.suspension} data-testid="admin-suspension">
      <p class="admin-suspended">{suspensionEnd(suspension)}</p>
      <p>{text.suspended.reason(suspension.reason)}</p>
      <p class="quiet">
        {text.admin.suspendedSince(text.moment(suspension.since_ms))}
        {suspended_by !== undefined && (
          <>
            {' '}
            <a href={`/admin/u/${suspended_by}`}>{text.admin.suspendedBy}</a>
          </>
        )}
      </p>
    </section>
  );
}

/** The warnings that the user has received. */
function Warnings({ warnings }: { warnings: readonly AdminWarning[] }): JSX.Element | null {
  const words = text.admin;
  if (warnings.length === 0) return null;
  return (
    <section class="tables">
      <h2>{words.warnings}</h2>
      <ul class="session-list admin-warnings" data-testid="admin-warnings">
        {warnings.map(({ number, text: warning, at_ms, acknowledged_at_ms }) => (
          <li key={number} class="session">
            <span class="session-text">
              <span class="report-text">{warning}</span>
              <span class="quiet">{`${text.moment(at_ms)} · ${acknowledged_at_ms === undefined ? words.notRead : words.read(text.moment(acknowledged_at_ms))}`}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The facts about a user as a list. */
function Facts({ details }: { details: AdminUserDetails }): JSX.Element {
  const words = text.admin.facts;
  const { user, created_at_ms, account_created_at_ms, seen_at_ms, sessions, tokens, reports, open_reports } = details;
  const facts: (readonly [string, string | null])[] = [
    [words.kind, kindOf(user) ?? text.bots.badge],
    [words.created, text.moment(created_at_ms)],
    [words.account, account_created_at_ms === undefined ? null : text.moment(account_created_at_ms)],
    [words.seen, seen_at_ms === undefined ? words.notSeen : text.ago(Date.now() - seen_at_ms)],
    [words.sessions, text.number(sessions)],
    [words.tokens, text.number(tokens)],
    [words.reports, text.reports.counts(reports, open_reports)],
    [words.id, user.id],
  ];
  return (
    <section class="tables">
      <h2>{text.admin.about}</h2>
      <dl class="admin-facts" data-testid="admin-facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <a class="quiet" href={`/u/${user.id}`}>
        {text.admin.publicPage}
      </a>
    </section>
  );
}
