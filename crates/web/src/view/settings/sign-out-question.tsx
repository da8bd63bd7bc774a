import type { JSX } from 'preact';
import type { SessionView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';

interface SignOutQuestionProps {
  readonly user: UserView;
  /** The sessions of the user. */
  readonly sessions: readonly SessionView[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The question before a guest signs out of this browser, with the way to return, if there is one. */
export function SignOutQuestion({ user, sessions, onConfirm, onClose }: SignOutQuestionProps): JSX.Element {
  const words = text.sessions;
  const canReturn = sessions.some(({ client, is_current }) => client === 'browser' && !is_current);
  return (
    <ConfirmDialog
      title={words.question}
      confirmLabel={canReturn ? words.signOut : words.signOutAnyway}
      testId="sign-out-confirm"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {canReturn ? words.otherBrowsers(user.name) : words.lastBrowser(user.name)}
    </ConfirmDialog>
  );
}
