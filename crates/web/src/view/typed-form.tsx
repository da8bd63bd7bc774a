import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

interface TypedFormProps {
  /** The id of the field and, with a suffix, of its error. */
  readonly id: string;
  /** Accessible name. */
  readonly label: string;
  /** A visible hint about what may be typed. */
  readonly hint: string;
  /** The label of the button. */
  readonly buttonLabel: ComponentChildren;
  /** Handles the typed text. Returns the error as a sentence, or `null` if it worked. */
  readonly onSubmit: (typed: string) => string | null;
  /** Content below, such as a result. */
  readonly children?: ComponentChildren;
}

/** A text field for moves and queries. A refused text stays in the field, with the reason below. */
export function TypedForm({ id, label, hint, buttonLabel, onSubmit, children }: TypedFormProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const refusal = onSubmit(typed);
    setError(refusal);
    if (refusal === null) setTyped('');
  };
  return (
    <form class="move-form" onSubmit={submit}>
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        data-testid="move-input"
        value={typed}
        placeholder={hint}
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        spellcheck={false}
        enterkeyhint="go"
        aria-invalid={error !== null}
        aria-describedby={`${id}-wrong`}
        onKeyDown={(event) => {
          // Leaves the field, so that single keys are shortcuts again.
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setError(null);
        }}
      />
      <button type="submit" class="button">
        {buttonLabel}
      </button>
      <p id={`${id}-wrong`} class="field-error" role="alert">
        {error}
      </p>
      {children}
    </form>
  );
}
