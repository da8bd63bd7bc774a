import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ReportReason, UserView } from '../../protocol/generated.ts';
import type { Moment } from '../../store/table.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useSubmission } from '../use-submission.ts';

/** The longest text of a report, in characters (docs/PROTOCOL.md, "Reports"). */
const MAX_LENGTH = 1_000;
/** The reasons for a report about a match, in their order. */
const REASONS: readonly ReportReason[] = ['chat', 'cheating', 'unfair_play', 'stalling', 'name', 'other'];
/** The reasons for a report that is not about a match. */
const GENERAL_REASONS: readonly ReportReason[] = ['name', 'other'];

interface ReportFormProps {
  readonly user: UserView;
  /** The moment of the match; `null` for a report that is not about a match. */
  readonly moment: Moment | null;
  readonly onCancel: () => void;
  readonly onSent: () => void;
}

/** The form of a report about a player, which operators of the server read. */
export function ReportForm({ user, moment, onCancel, onSent }: ReportFormProps): JSX.Element {
  const client = useClient();
  const words = text.people;
  const reasons = moment === null ? GENERAL_REASONS : REASONS;
  const [reason, setReason] = useState<ReportReason | null>(moment?.message === undefined ? null : 'chat');
  const [typed, setTyped] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const send = async (): Promise<void> => {
    if (reason === null) return;
    const note = typed.trim();
    await client.api.report({ user: user.id, reason, ...(note === '' ? {} : { text: note }), ...(moment === null ? {} : { moment }) });
    onSent();
  };
  return (
    <form ref={form} class="form" data-testid="report-form" onSubmit={(event) => submit(event, send)} onInput={clear}>
      <fieldset class="choice">
        <legend>{words.reason}</legend>
        {reasons.map((one) => (
          <label key={one} class="check">
            <input type="radio" name="report-reason" required data-testid={`reason-${one}`} checked={reason === one} onChange={() => setReason(one)} />
            <span>
              {words.reasons[one]}
              <span class="quiet">{words.reasonHints[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="field">
        <label for="set-report-text">{words.details}</label>
        <textarea
          id="set-report-text"
          class="input"
          data-testid="report-text"
          rows={3}
          maxLength={MAX_LENGTH}
          value={typed}
          aria-describedby="hint-report-text"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p class="quiet" id="hint-report-text">
          {moment === null ? words.noMoment : words.momentHint}
        </p>
      </div>
      <p class="field-error" role="alert" data-testid="report-error">
        {error !== null && errorText(error)}
      </p>
      <div class="buttons align-end">
        <button type="button" class="button" onClick={onCancel}>
          {text.cancel}
        </button>
        <button type="submit" class="button primary" data-testid="report-send" disabled={isBusy}>
          {words.send}
        </button>
      </div>
    </form>
  );
}
