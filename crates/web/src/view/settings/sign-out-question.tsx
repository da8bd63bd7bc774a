import type { JSX } from 'preact';
import type { SessionView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';

interface SignOutQuestionProps {
  readonly user: UserView;
  /** The sessions of the user. */
  readonly sessions: readonly SessionView[];
  /** Set if the user has a recovery key. */
  readonly hasKey: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The question before a guest signs out of this browser, with the ways to return. */
export function SignOutQuestion({ user, sessions, hasKey, onConfirm, onClose }: SignOutQuestionProps): JSX.Element {
  const words = text.sessions;
  const hasOthers = sessions.some(({ client, is_current }) => client === 'browser' && !is_current);
  const canReturn = hasKey || hasOthers;
  const wayBack = hasKey ? words.byKey : words.otherBrowsers;
  return (
    <ConfirmDialog
      title={words.question}
      confirmLabel={canReturn ? words.signOut : words.signOutAnyway}
      testId="sign-out-confirm"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {canReturn ? wayBack(user.name) : words.lastBrowser(user.name)}
    </ConfirmDialog>
  );
}
