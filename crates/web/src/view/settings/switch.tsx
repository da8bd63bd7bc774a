import type { JSX } from 'preact';
import type { PreferenceValues } from '../../store/preferences.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { SwitchField } from './switch-field.tsx';

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
    <SwitchField
      name={name}
      label={text.preferences.labels[name]}
      hint={hint}
      isOn={choice.value}
      onToggle={
        onToggle ??
        ((isOn) => {
          choice.value = isOn;
        })
      }
    />
  );
}
