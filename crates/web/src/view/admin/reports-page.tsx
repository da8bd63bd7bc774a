import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminReport } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { AdminNav } from './admin-nav.tsx';

interface ReportsPageProps {
  readonly api: AdminApi;
  readonly state: 'open' | 'closed';
}

/** The list of the open or closed reports, newest first. */
export function ReportsPage({ api, state }: ReportsPageProps): JSX.Element {
  const client = useClient();
  const words = text.reports;
  const { value, error, set, retry } = useLoaded(() => api.reports({ state }), state);
  const [isBusy, setBusy] = useState(false);
  useTitle(text.admin.lists[state]);
  const loadMore = async (before: number): Promise<void> => {
    setBusy(true);
    try {
      const { reports, next } = await api.reports({ state, before });
      set({ reports: [...(value?.reports ?? []), ...reports], ...(next === undefined ? {} : { next }) });
    } catch (failure) {
      client.report(failure);
    } finally {
      setBusy(false);
    }
  };
  const next = value?.next;
  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{text.admin.title}</h1>
        <p class="quiet">{text.admin.tagline}</p>
      </header>
      <AdminNav current={state} />
      <section class="admin-users" aria-label={text.admin.lists[state]} aria-busy={value === null && error === null} data-testid="reports">
        {error !== null && <LoadError error={error} onRetry={retry} />}
        {value?.reports.length === 0 && <p class="empty">{words.none[state]}</p>}
        {value !== null && value.reports.length > 0 && (
          <ul class="session-list">
            {value.reports.map((report) => (
              <ReportRow key={report.number} report={report} />
            ))}
          </ul>
        )}
        {next !== undefined && (
          <button type="button" class="button more" data-testid="reports-more" disabled={isBusy} onClick={() => void loadMore(next)}>
            {text.archive.showMore}
          </button>
        )}
      </section>
    </main>
  );
}

/** A report in the list. */
function ReportRow({ report: { number, reporter, reported_name, reason, text: note, created_at_ms, closed } }: { report: AdminReport }): JSX.Element {
  const words = text.reports;
  return (
    <li class="session" data-testid="report-row">
      <span class="session-text">
        <a class="session-name" href={`/admin/reports/${number}`}>
          {words.about(reported_name, text.people.reasons[reason])}
        </a>
        <span class="quiet">{[text.moment(created_at_ms), words.from(nameOf(reporter)), ...(closed === undefined ? [] : [words.outcomes[closed.outcome]])].join(' · ')}</span>
        {note !== undefined && <span class="report-text">{note}</span>}
      </span>
    </li>
  );
}
