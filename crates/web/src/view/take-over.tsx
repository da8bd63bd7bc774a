import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';

/** The question whether this browser is to become the user of a handover. Closing it changes nothing. */
export function TakeOver(): JSX.Element | null {
  const client = useClient();
  const offer = client.handoverOffer.value;
  if (offer === null) return null;
  const { user, currentUser: you } = offer;
  const words = text.takeOver;
  const decide = (takes: boolean) => (): void => void client.answerHandover(takes);
  return (
    <Dialog title={words.title(user.name)} onClose={decide(false)}>
      <p>{words.now(you.name)}</p>
      <p>{words.warning}</p>
      <div class="buttons align-end">
        <button type="button" class="button" data-testid="take-over-stay" onClick={decide(false)}>
          {words.stay(you.name)}
        </button>
        <button type="button" class="button primary" data-testid="take-over-go" onClick={decide(true)}>
          {words.go(user.name)}
        </button>
      </div>
    </Dialog>
  );
}
