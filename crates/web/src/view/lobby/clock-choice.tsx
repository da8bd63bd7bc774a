import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { Choice, FieldError, NumberField, Option } from '../fields.tsx';
import { clockPresetOf, CLOCK_PRESETS, type ClockPreset, type TableChoices } from './table-choices.ts';
import { messageFor, type FieldProblem } from './field-problem.ts';

interface ClockChoiceProps {
  readonly choices: TableChoices;
  readonly error: FieldProblem | null;
  readonly onChange: (change: Partial<TableChoices>) => void;
}

/**
 * The choice of the clocks of a new table. Common clocks need one press; all other clocks are
 * entered as numbers.
 */
export function ClockChoice({ choices, error, onChange }: ClockChoiceProps): JSX.Element {
  const [isOwn, setIsOwn] = useState(() => clockPresetOf(choices) === null);
  const chosen = isOwn ? null : clockPresetOf(choices);
  const pick = (preset: ClockPreset): void => {
    setIsOwn(false);
    const { clock, base_minutes, extra_seconds } = preset;
    onChange({ clock, base_minutes, extra_seconds });
  };
  const pickCustom = (): void => {
    setIsOwn(true);
    if (choices.clock === 'none' || choices.clock === 'correspondence') onChange({ clock: 'fischer' });
  };
  return (
    <>
      <Choice legend={text.newTableDialog.time} columns={3}>
        {CLOCK_PRESETS.map((preset) => (
          <Option key={preset.id} group="clock" value={preset.id} checked={chosen === preset} onPick={() => pick(preset)}>
            <span>{text.newTableDialog.preset(preset)}</span>
            <small>{text.newTableDialog.presetHint(preset)}</small>
          </Option>
        ))}
        <Option group="clock" value="custom" checked={chosen === null} onPick={pickCustom}>
          <span>{text.newTableDialog.custom}</span>
          <small>{text.newTableDialog.customHint}</small>
        </Option>
      </Choice>
      {chosen === null && <OwnClock choices={choices} onChange={onChange} />}
      {chosen?.clock === 'correspondence' && <Days choices={choices} onChange={onChange} />}
      <FieldError name="time" error={messageFor(error, 'time')} />
    </>
  );
}

/** The fields for other clocks: their kind and their numbers. */
function OwnClock({ choices, onChange }: Omit<ClockChoiceProps, 'error'>): JSX.Element {
  const { clock } = choices;
  return (
    <>
      <Choice legend={text.newTableDialog.clockKind} columns={2}>
        {(['fischer', 'delay'] as const).map((kind) => (
          <Option key={kind} group="time" value={kind} checked={clock === kind} onPick={() => onChange({ clock: kind })}>
            <span>{text.newTableDialog[kind]}</span>
          </Option>
        ))}
      </Choice>
      {(clock === 'fischer' || clock === 'delay') && (
        <div class="fields">
          <NumberField
            label={text.newTableDialog.base}
            name="base"
            min={0.5}
            step={0.5}
            max={180}
            value={choices.base_minutes}
            onChange={(base_minutes) => onChange({ base_minutes })}
          />
          <NumberField
            label={clock === 'fischer' ? text.newTableDialog.increment : text.newTableDialog.delaySeconds}
            name="extra"
            min={0}
            step={1}
            max={180}
            value={choices.extra_seconds}
            onChange={(extra_seconds) => onChange({ extra_seconds })}
          />
        </div>
      )}
    </>
  );
}

function Days({ choices, onChange }: Omit<ClockChoiceProps, 'error'>): JSX.Element {
  return (
    <NumberField label={text.newTableDialog.days} name="days" min={1} step={1} max={14} value={choices.days} onChange={(days) => onChange({ days })} />
  );
}
