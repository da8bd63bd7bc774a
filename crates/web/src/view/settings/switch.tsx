import type { JSX } from 'preact';
import type { PreferenceValues } from '../../store/preferences.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';

/** The name of a preference that is on or off. */
type SwitchName = { [Name in keyof PreferenceValues]: PreferenceValues[Name] extends boolean ? Name : never }[keyof PreferenceValues];

interface SwitchProps {
  readonly name: SwitchName;
  readonly hint?: string;
  /** Called instead of setting the preference. */
  readonly onToggle?: (on: boolean) => void;
}

/** The switch of a preference. */
export function Switch({ name, hint, onToggle }: SwitchProps): JSX.Element {
  const choice = useClient().preferences[name];
  return (
    <label class="switch">
      <span class="switch-label">
        <span>{text.preferences.labels[name]}</span>
        {hint !== undefined && (
          <span class="quiet" id={`hint-${name}`}>
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        data-testid={`set-${name}`}
        aria-label={text.preferences.labels[name]}
        aria-describedby={hint === undefined ? undefined : `hint-${name}`}
        checked={choice.value}
        onChange={({ currentTarget }) => {
          if (onToggle === undefined) choice.value = currentTarget.checked;
          else onToggle(currentTarget.checked);
          // Shows the old state if the change was refused.
          currentTarget.checked = choice.value;
        }}
      />
    </label>
  );
}
