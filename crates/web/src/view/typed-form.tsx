import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

interface TypedFormProps {
  /** The field's id; what is wrong with it stands under the same name. */
  readonly id: string;
  /** Accessible name. */
  readonly label: string;
  /** A visible hint about what may be typed. */
  readonly hint: string;
  /** Label of the button. */
  readonly go: ComponentChildren;
  /** Does what was typed, or says in a sentence why not. */
  readonly onType: (typed: string) => string | null;
  /** Content below, such as a result. */
  readonly children?: ComponentChildren;
}

/** A field for moves, and whatever else a page understands: what was refused stays in it with the reason below. */
export function TypedForm({ id, label, hint, go, onType, children }: TypedFormProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const refusal = onType(typed);
    setWrong(refusal);
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
        aria-invalid={wrong !== null}
        aria-describedby={`${id}-wrong`}
        onKeyDown={(event) => {
          // Back to where single keys have a meaning.
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(null);
        }}
      />
      <button type="submit" class="button">
        {go}
      </button>
      <p id={`${id}-wrong`} class="field-error" role="alert">
        {wrong}
      </p>
      {children}
    </form>
  );
}
