import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { AdminReportDetails, ReportClosure, ReportedMessage } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { LoadError } from '../load-error.tsx';
import { NotFound } from '../not-found.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { CloseTable } from './close-table.tsx';
import { CloseReportForm } from './close-report-form.tsx';

/** The page of a report: the facts, the chat and the moves around the moment, and the outcome. */
export function ReportPage({ api, number }: { api: AdminApi; number: number }): JSX.Element {
  const words = text.reports;
  const { value: details, error, set, retry } = useLoaded(() => api.report(number), String(number));
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(words.title(number));
  if (error instanceof Refusal && error.code === 'not_found') return <NotFound />;
  const closed = details?.report.closed;
  return (
    <main id="content" class="archive" aria-busy={details === null && error === null}>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {words.title(number)}
        </h1>
        <p class="quiet">
          <a href="/admin/reports">{text.admin.lists.open}</a>
        </p>
      </header>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {details !== null && (
        <>
          <ReportFacts details={details} />
          {details.report.moment !== undefined && <CloseTable api={api} table={details.report.moment.table} />}
          {details.messages.length > 0 && <Messages messages={details.messages} reported={details.report.moment?.message} />}
          {details.notation !== undefined && (
            <details class="report-notation">
              <summary>{words.notation}</summary>
              <pre>{details.notation}</pre>
            </details>
          )}
          {closed === undefined ? (
            <CloseReportForm
              api={api}
              number={number}
              onClosed={(changed) => {
                set(changed);
                heading.current?.focus();
              }}
            />
          ) : (
            <Closure closure={closed} />
          )}
        </>
      )}
    </main>
  );
}

/** The facts of a report as a list. */
function ReportFacts({ details: { report, path, reports_about, open_reports_about } }: { details: AdminReportDetails }): JSX.Element {
  const words = text.reports;
  const { reporter, reported, reported_name, reason, text: note, created_at_ms } = report;
  return (
    <dl class="admin-facts" data-testid="report-facts">
      <div>
        <dt>{words.facts.reported}</dt>
        <dd>
          <a href={`/admin/u/${reported.id}`}>{reported.name}</a>
          {reported.name !== reported_name && ` (${words.formerName(reported_name)})`}
        </dd>
      </div>
      <div>
        <dt>{text.admin.reason}</dt>
        <dd>{text.people.reasons[reason]}</dd>
      </div>
      {note !== undefined && (
        <div>
          <dt>{words.facts.text}</dt>
          <dd class="report-text">{note}</dd>
        </div>
      )}
      <div>
        <dt>{words.facts.reporter}</dt>
        <dd>
          <a href={`/admin/u/${reporter.id}`}>{reporter.name}</a>
        </dd>
      </div>
      <div>
        <dt>{words.facts.created}</dt>
        <dd>{text.moment(created_at_ms)}</dd>
      </div>
      <div>
        <dt>{words.facts.all}</dt>
        <dd>{words.counts(reports_about, open_reports_about)}</dd>
      </div>
      {path !== undefined && (
        <div>
          <dt>{words.facts.match}</dt>
          <dd>
            <a href={path} data-testid="report-match">
              {words.openMatch}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The chat around the moment. The reported message is marked. */
function Messages({ messages, reported }: { messages: readonly ReportedMessage[]; reported: number | undefined }): JSX.Element {
  return (
    <section class="tables">
      <h2>{text.chat.title}</h2>
      <ol class="report-messages" data-testid="report-messages">
        {messages.map(({ seq, at_ms, user, color, room, message }) => (
          <li key={seq} class="chat-message" data-color={color} data-reported={seq === reported}>
            <time class="quiet" dateTime={new Date(at_ms).toISOString()}>
              {text.clockTime(at_ms)}
            </time>{' '}
            <strong>{nameOf(user)}</strong>
            {room === 'bystanders' && <span class="chat-message-room"> {text.chat.rooms.bystanders}</span>} <span>{'text' in message ? message.text : text.chat.phrases[message.phrase]}</span>
            {seq === reported && <span class="session-mark">{text.reports.reportedMessage}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The outcome of a closed report. */
function Closure({ closure: { at_ms, by, outcome, note } }: { closure: ReportClosure }): JSX.Element {
  const words = text.reports;
  return (
    <section class="card" aria-label={words.outcome} data-testid="report-closure" role="status">
      <p>
        <strong>{words.outcomes[outcome]}</strong>
      </p>
      {note !== undefined && <p>{note}</p>}
      <p class="quiet">{words.closedBy(by.name, text.moment(at_ms))}</p>
    </section>
  );
}
