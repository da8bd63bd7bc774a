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
  return (
    <Dialog title={words.title} onClose={() => (client.isSignOutShown.value = false)}>
      <p>{words.done(user.name)}</p>
      <div class="buttons align-end">
        <button type="button" class="button primary" data-testid="start-again" onClick={() => void client.startAgain()}>
          {words.startAgain}
        </button>
      </div>
    </Dialog>
  );
}
