import type { ComponentChildren, JSX } from 'preact';
import { FieldError } from '../fields.tsx';

interface PlainFieldProps {
  /** The name of the field, which its id and test id contain. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error: string | null;
  /** The input, and what belongs to it. */
  readonly children: ComponentChildren;
}

/** The label, the error and the hint of a field. */
export function PlainField({ name, label, hint, error, children }: PlainFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      {children}
      <FieldError name={name} error={error} />
      {hint !== undefined && (
        <p class="quiet" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface PlainInputProps {
  readonly name: string;
  readonly isHidden?: boolean;
  readonly autocomplete: 'username' | 'email' | 'url' | 'current-password' | 'new-password' | 'off';
  readonly maxLength?: number;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly error: string | null;
  readonly onInput: (value: string) => void;
}

/** The input of a {@link PlainField}: a short text that is not corrected. */
export function PlainInput({ name, isHidden, autocomplete, maxLength, value, hint, error, onInput }: PlainInputProps): JSX.Element {
  return (
    <input
      {...(isHidden === true ? { type: 'password' } : { type: 'text' })}
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
  );
}
