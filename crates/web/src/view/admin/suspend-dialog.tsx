import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { SelectField } from '../fields.tsx';
import { useSubmission } from '../use-submission.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import type { UserActionProps } from './user-actions.tsx';

/** The durations of suspensions in hours. */
const DURATIONS = ['1', '24', '72', '168', '720', '2160', '8760', 'lifted'] as const;

const HOUR_MS = 3_600_000;

/** The dialog in which an operator suspends a user, or changes the suspension. */
export function SuspendDialog({ api, details, onDone, onClose }: UserActionProps & { onClose: () => void }): JSX.Element {
  const words = text.admin;
  const { id, name } = details.user;
  const [duration, setDuration] = useState<(typeof DURATIONS)[number]>('24');
  const submission = useSubmission();
  return (
    <ReasonDialog
      title={words.questions.suspend(name)}
      confirmLabel={words.actions.suspend}
      hint={words.hints.suspend}
      reasonHint={words.reasonShown}
      submission={submission}
      onSubmit={async (reason) => {
        const hours = duration === 'lifted' ? null : Number(duration);
        onDone(await api.suspend(id, { reason, hours }), words.done.suspend(name));
      }}
      onClose={onClose}
    >
      <SelectField
        label={words.duration}
        name="suspend-duration"
        value={duration}
        options={DURATIONS.map((one) => [one, one === 'lifted' ? words.untilLifted : text.span(Number(one) * HOUR_MS)] as const)}
        error={null}
        onChange={setDuration}
      />
    </ReasonDialog>
  );
}
