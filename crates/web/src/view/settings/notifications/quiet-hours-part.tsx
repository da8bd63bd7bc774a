import type { JSX } from 'preact';
import type { QuietHours } from '../../../protocol/generated.ts';
import { formatMinute, parseMinute, USUAL_QUIET_HOURS, utcOffset } from '../../../store/quiet-hours.ts';
import { text } from '../../../text/index.ts';
import { SwitchField } from '../switch-field.tsx';

interface QuietHoursPartProps {
  readonly quiet: QuietHours | undefined;
  /** Called with the new quiet hours, or with `null` if there are none any more. */
  readonly onChange: (quiet: QuietHours | null) => void;
}

/** The fields for the daily time in which no notifications are sent. */
export function QuietHoursPart({ quiet, onChange }: QuietHoursPartProps): JSX.Element {
  const words = text.notifications;
  const change = (changes: Partial<QuietHours>): void => {
    const changed = { ...USUAL_QUIET_HOURS, ...quiet, ...changes, utc_offset_minutes: utcOffset() };
    // Two equal times would be no time, or the whole day.
    if (changed.from_minute !== changed.to_minute) onChange(changed);
  };
  return (
    <>
      <SwitchField name="quiet" label={words.quiet} hint={words.quietHint} isOn={quiet !== undefined} onToggle={(isOn) => (isOn ? change({}) : onChange(null))} />
      {quiet !== undefined && (
        <div class="time-fields">
          <TimeField name="quiet-from" label={words.from} minute={quiet.from_minute} onChange={(from_minute) => change({ from_minute })} />
          <TimeField name="quiet-to" label={words.to} minute={quiet.to_minute} onChange={(to_minute) => change({ to_minute })} />
        </div>
      )}
    </>
  );
}

interface TimeFieldProps {
  readonly name: string;
  readonly label: string;
  readonly minute: number;
  readonly onChange: (minute: number) => void;
}

/** A field for a time of day. */
function TimeField({ name, label, minute, onChange }: TimeFieldProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="time"
        name={name}
        data-testid={`set-${name}`}
        required
        value={formatMinute(minute)}
        onChange={(event) => {
          const parsed = parseMinute(event.currentTarget.value);
          if (parsed !== null) onChange(parsed);
        }}
      />
    </label>
  );
}
