import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { FieldError } from '../fields.tsx';
import { Eye } from '../icons.tsx';

interface PasswordFieldProps {
  /** The name of the field, which its id and test id contain. */
  readonly name: string;
  readonly label: string;
  /** The kind of password, for password managers. */
  readonly autocomplete: 'current-password' | 'new-password';
  readonly value: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly onInput: (value: string) => void;
}

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({ name, label, autocomplete, value, hint, error, onInput }: PasswordFieldProps): JSX.Element {
  const [isShown, setShown] = useState(false);
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      <div class="password-field">
        <input
          {...(isShown ? { type: 'text' } : { type: 'password' })}
          id={`set-${name}`}
          class="input"
          name={name}
          data-testid={`${name}-input`}
          autocomplete={autocomplete}
          autocapitalize="off"
          autocorrect="off"
          spellcheck={false}
          required
          value={value}
          aria-invalid={error !== null}
          aria-describedby={hint === undefined ? `wrong-${name}` : `wrong-${name} hint-${name}`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          class="icon-button"
          data-testid={`show-${name}`}
          aria-label={text.signIn.show}
          title={text.signIn.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Eye isOpen={isShown} />
        </button>
      </div>
      <FieldError name={name} error={error} />
      {hint !== undefined && (
        <p class="quiet" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
