import type { JSX } from 'preact';
import { FieldError } from '../fields.tsx';

interface TextFieldProps {
  /** The name of the field, which its id and test id contain. */
  readonly name: string;
  readonly label: string;
  readonly autocomplete: 'username' | 'off';
  readonly maxLength?: number;
  readonly value: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly onInput: (value: string) => void;
}

/** A field for a name, a key or another short text that is not corrected. */
export function TextField({ name, label, autocomplete, maxLength, value, hint, error, onInput }: TextFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      <input
        id={`set-${name}`}
        class="input"
        name={name}
        data-testid={`${name}-input`}
        autocomplete={autocomplete}
        autocapitalize="off"
        autocorrect="off"
        spellcheck={false}
        required
        maxLength={maxLength}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={hint === undefined ? `wrong-${name}` : `wrong-${name} hint-${name}`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <FieldError name={name} error={error} />
      {hint !== undefined && (
        <p class="quiet" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
