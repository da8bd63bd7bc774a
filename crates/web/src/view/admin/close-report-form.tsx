import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminReportDetails, ReportOutcome } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { SelectField } from '../fields.tsx';
import { useSubmission } from '../use-submission.ts';

/** The longest note, in characters (docs/PROTOCOL.md, "Reports"). */
const MAX_LENGTH = 500;
const OUTCOMES: readonly ReportOutcome[] = ['no_action', 'warned', 'suspended', 'renamed', 'table_closed', 'other'];

interface CloseReportProps {
  readonly api: AdminApi;
  readonly number: number;
  readonly onClosed: (details: AdminReportDetails) => void;
}

/** The form with which an operator closes a report. */
export function CloseReportForm({ api, number, onClosed }: CloseReportProps): JSX.Element {
  const words = text.reports;
  const [outcome, setOutcome] = useState<ReportOutcome>('no_action');
  const [typed, setTyped] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const close = async (): Promise<void> => {
    const note = typed.trim().replace(/\s+/g, ' ');
    onClosed(await api.closeReport(number, { outcome, ...(note === '' ? {} : { note }) }));
  };
  return (
    <form ref={form} class="form card" data-testid="close-report-form" onSubmit={(event) => submit(event, close)} onInput={clear}>
      <h2>{words.close}</h2>
      <SelectField label={words.outcome} name="outcome" value={outcome} options={OUTCOMES.map((one) => [one, words.outcomes[one]] as const)} error={error === null ? null : errorText(error)} onChange={setOutcome} />
      <div class="field">
        <label for="set-note">{words.note}</label>
        <textarea id="set-note" class="input" data-testid="note-input" rows={2} maxLength={MAX_LENGTH} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </div>
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="close-report" disabled={isBusy}>
          {words.close}
        </button>
      </div>
    </form>
  );
}
