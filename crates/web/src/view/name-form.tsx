import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../connection/outbox.ts';
import { errorText } from '../text/error-text.ts';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';
import { FieldError } from './fields.tsx';

/** The longest name of a user, in characters (docs/PROTOCOL.md, "Identity"). */
export const MAX_NAME_LENGTH = 24;

/** A form for the user's name. It starts with the present name. */
export function NameForm({ buttonLabel, onDone }: { buttonLabel: (name: string) => string; onDone: () => void }): JSX.Element {
  const client = useClient();
  const current = client.user.value?.name ?? '';
  const [typed, setTyped] = useState(current);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const name = typed.trim().replace(/\s+/g, ' ') || current;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await client.rename(name);
      onDone();
    } catch (failure) {
      if (!(failure instanceof Error)) throw failure;
      setError(nameError(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for="set-name">{text.ownName.label}</label>
        <input
          id="set-name"
          class="input"
          data-testid="name-input"
          value={typed}
          placeholder={current}
          maxLength={MAX_NAME_LENGTH}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="done"
          aria-invalid={error !== null}
          aria-describedby="wrong-name"
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setError(null);
          }}
        />
        <FieldError name="name" error={error} />
        <p class="quiet">{text.ownName.hint}</p>
      </div>
      <div class="buttons align-end">
        <button type="submit" class="button primary" data-testid="name-submit" disabled={busy}>
          {buttonLabel(name)}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of an error about a name. */
function nameError(error: Error): string {
  if (!(error instanceof Refusal)) return errorText(error);
  if (error.code === 'bad_setting') return text.ownName.unavailable;
  if (error.code === 'rename_too_soon' && error.retryAfter_s !== null) return text.account.renameTooSoon(error.retryAfter_s * 1_000);
  return errorText(error);
}

/** The question for a name, before the user's first seat among people. */
export function NameDialog(): JSX.Element | null {
  const client = useClient();
  const question = client.nameQuestion;
  if (!question.isOpen.value) return null;
  return (
    <Dialog title={text.ownName.title} onClose={() => question.decline()}>
      <NameForm buttonLabel={text.ownName.play} onDone={() => {}} />
    </Dialog>
  );
}

/** A button on the user's own page that opens the form. */
export function RenameButton(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small" data-testid="rename" onClick={() => setOpen(true)}>
        {text.ownName.change}
      </button>
      {isOpen && (
        <Dialog title={text.ownName.change} onClose={() => setOpen(false)}>
          <NameForm buttonLabel={() => text.ownName.save} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}
