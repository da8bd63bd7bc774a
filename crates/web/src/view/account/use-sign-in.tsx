import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { guestWithMatches, type Credentials } from '../../store/credentials.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { goTo } from '../router.ts';

interface Question {
  readonly guest: UserView;
  readonly answer: (isSure: boolean) => void;
}

/**
 * Returns a function that signs this browser in and then opens the lobby, and the question that it
 * asks a guest with matches before.
 */
export function useSignIn(): { signIn: (credentials: Credentials) => Promise<void>; question: JSX.Element | null } {
  const client = useClient();
  const [question, ask] = useState<Question | null>(null);
  /** The guest whom the user has agreed to leave. */
  const left = useRef<string | null>(null);
  const mayLeave = async (): Promise<boolean> => {
    const guest = await guestWithMatches(client.api, client.user.value);
    if (guest === null || guest.id === left.current) return true;
    const isSure = await new Promise<boolean>((answer) => ask({ guest, answer }));
    ask(null);
    if (isSure) left.current = guest.id;
    return isSure;
  };
  const signIn = async (credentials: Credentials): Promise<void> => {
    if (!(await mayLeave())) return;
    await client.signIn(credentials);
    goTo('/');
  };
  return { signIn, question: question && <LeaveQuestion {...question} /> };
}

/** The question whether this browser should leave its guest. */
function LeaveQuestion({ guest: { name }, answer }: Question): JSX.Element {
  const words = text.signIn;
  return (
    <Dialog title={words.question(name)} onClose={() => answer(false)}>
      <p>{words.leaves(name)}</p>
      <div class="buttons align-end">
        <button type="button" class="button" data-testid="leave-stay" onClick={() => answer(false)}>
          {words.stay(name)}
        </button>
        <button type="button" class="button primary" data-testid="leave-go" onClick={() => answer(true)}>
          {words.submit}
        </button>
      </div>
    </Dialog>
  );
}
