import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';

/**
 * The dialog after this browser was signed out. Until another session starts, nothing connects
 * again. When the user closes the dialog, the menu has the same choice.
 */
export function SignedOutDialog(): JSX.Element | null {
  const client = useClient();
  const user = client.signedOutUser.value;
  if (user === null || !client.isSignOutShown.value) return null;
  const words = text.signedOut;
  const isDeleted = client.isDeleted.value;
  const close = (): void => {
    client.isSignOutShown.value = false;
  };
  return (
    <Dialog title={isDeleted ? words.deletedTitle : words.title} onClose={close}>
      <p>{isDeleted ? words.deleted(user.name) : words.done(user.name)}</p>
      <div class="buttons align-end">
        <button type="button" class="button" data-testid="start-again" onClick={() => void client.startAgain()}>
          {words.startAgain}
        </button>
        <a class="button primary" href="/sign-in" data-testid="sign-in-again" onClick={close}>
          {text.signIn.title}
        </a>
      </div>
    </Dialog>
  );
}
