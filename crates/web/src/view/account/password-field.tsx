import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { Eye } from '../icons.tsx';
import { PlainField, PlainInput } from './plain-field.tsx';

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
export function PasswordField({ label, ...input }: PasswordFieldProps): JSX.Element {
  const [isShown, setShown] = useState(false);
  return (
    <PlainField name={input.name} label={label} hint={input.hint} error={input.error}>
      <div class="password-field">
        <PlainInput {...input} isHidden={!isShown} />
        <button
          type="button"
          class="icon-button"
          data-testid={`show-${input.name}`}
          aria-label={text.signIn.show}
          title={text.signIn.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Eye isOpen={isShown} />
        </button>
      </div>
    </PlainField>
  );
}
