import type { JSX } from 'preact';

interface SwitchFieldProps {
  /** The name of the switch, which its ids and its test id contain. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onToggle: (isOn: boolean) => void;
}

/** A switch with its label and a hint. It keeps showing `isOn` if a change is refused. */
export function SwitchField({ name, label, hint, isOn, disabled = false, onToggle }: SwitchFieldProps): JSX.Element {
  return (
    <label class="switch">
      <span class="switch-label">
        <span>{label}</span>
        {hint !== undefined && (
          <span class="quiet" id={`hint-${name}`}>
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        data-testid={`set-${name}`}
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : `hint-${name}`}
        checked={isOn}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onToggle(currentTarget.checked);
          currentTarget.checked = isOn;
        }}
      />
    </label>
  );
}
