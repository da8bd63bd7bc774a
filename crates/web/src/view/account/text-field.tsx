import type { JSX } from 'preact';
import { PlainField, PlainInput } from './plain-field.tsx';

interface TextFieldProps {
  /** The name of the field, which its id and test id contain. */
  readonly name: string;
  readonly label: string;
  readonly autocomplete: 'username' | 'email' | 'url' | 'off';
  readonly maxLength?: number;
  readonly value: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly onInput: (value: string) => void;
}

/** A field for a name, a key or another short text that is not corrected. */
export function TextField({ label, ...input }: TextFieldProps): JSX.Element {
  return (
    <PlainField name={input.name} label={label} hint={input.hint} error={input.error}>
      <PlainInput {...input} />
    </PlainField>
  );
}
