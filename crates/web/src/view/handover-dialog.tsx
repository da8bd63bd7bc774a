import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';

/**
 * The question whether this browser should continue as the user of a handover. Closing the dialog
 * changes nothing.
 */
export function HandoverDialog(): JSX.Element | null {
  const client = useClient();
  const offer = client.handoverOffer.value;
  if (offer === null) return null;
  const { user, currentUser } = offer;
  const words = text.takeOver;
  const answer = (accepted: boolean) => (): void => void client.answerHandover(accepted);
  return (
    <Dialog title={words.title(user.name)} onClose={answer(false)}>
      <p>{words.done(currentUser.name)}</p>
      <p>{words.warning}</p>
      <div class="buttons align-end">
        <button type="button" class="button" data-testid="take-over-stay" onClick={answer(false)}>
          {words.decline(currentUser.name)}
        </button>
        <button type="button" class="button primary" data-testid="take-over-go" onClick={answer(true)}>
          {words.accept(user.name)}
        </button>
      </div>
    </Dialog>
  );
}
