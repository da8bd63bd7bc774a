import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { Trying } from './trying.ts';

/** Trying moves by typing them. */
export function TryInput({ trying }: { trying: Trying }): JSX.Element {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const refusal = trying.playTyped(typed);
    setWrong(refusal);
    if (refusal === null) setTyped('');
  };
  return (
    <form class="move-form" onSubmit={submit}>
      <label class="visually-hidden" for="try-input">
        {text.play.input}
      </label>
      <input
        id="try-input"
        class="input"
        data-testid="move-input"
        value={typed}
        placeholder={`${text.play.input}: ${text.play.hint}`}
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        spellcheck={false}
        enterkeyhint="go"
        aria-invalid={wrong !== null}
        aria-describedby="try-wrong"
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(null);
        }}
      />
      <button type="submit" class="button">
        {text.play.go}
      </button>
      <p id="try-wrong" class="wrong" role="alert">
        {wrong}
      </p>
    </form>
  );
}
