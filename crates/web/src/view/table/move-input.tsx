import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isIn, type TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import type { Playing } from './playing.ts';

/** Moves by typing: `h2h4`, or as the move list writes them. */
export function MoveInput({ playing, state }: { playing: Playing; state: TableState }): JSX.Element | null {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  if (state.you === null || state.state.phase !== 'running' || !isIn(state, state.you)) return null;

  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const refusal = playing.playTyped(typed);
    setWrong(refusal);
    if (refusal === null) setTyped('');
  };

  return (
    <form class="move-form" onSubmit={submit}>
      <label class="visually-hidden" for="move-input">
        {text.play.input}
      </label>
      <input
        id="move-input"
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
        aria-describedby="move-wrong"
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(null);
        }}
      />
      <button type="submit" class="button">
        {text.play.go}
      </button>
      <p id="move-wrong" class="wrong" role="alert">
        {wrong}
      </p>
    </form>
  );
}
