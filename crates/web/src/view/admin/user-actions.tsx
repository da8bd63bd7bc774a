import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminUserDetails } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { isDeletedUser } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { saveFile } from '../match/save-file.ts';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';
import { useSubmission } from '../use-submission.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';

/** An action of an operator about a user. */
type Action = 'warn' | 'suspend' | 'restore' | 'rename' | 'revoke' | 'export' | 'delete';

/** An action of an operator, with the dialog that confirms it. */
export interface UserActionProps {
  readonly api: AdminApi;
  readonly details: AdminUserDetails;
  /** Called after an action, with the changed details and with what was done. */
  readonly onDone: (details: AdminUserDetails, done: string) => void;
}

/** The buttons of an operator on the page of a user. Each asks before it acts. Deleted users have none. */
export function UserActions({ api, details, onDone }: UserActionProps): JSX.Element | null {
  const words = text.admin;
  const [open, setOpen] = useState<Action | null>(null);
  const isSuspended = details.suspension !== undefined;
  if (isDeletedUser(details.user)) return null;
  const actions: Action[] = [...(isSuspended ? (['restore', 'suspend', 'warn'] as const) : (['warn', 'suspend'] as const)), 'rename', 'revoke', 'export', 'delete'];
  return (
    <div class="buttons" data-testid="user-actions">
      {actions.map((action) => (
        <button key={action} type="button" class="button" data-testid={`action-${action}`} onClick={() => setOpen(action)}>
          {action === 'suspend' && isSuspended ? words.changeSuspension : words.actions[action]}
        </button>
      ))}
      {open !== null && (
        <ActionDialog
          action={open}
          api={api}
          details={details}
          onDone={(changed, done) => {
            setOpen(null);
            onDone(changed, done);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** The dialog of an action. */
function ActionDialog({ action, onClose, ...props }: UserActionProps & { action: Action; onClose: () => void }): JSX.Element {
  const client = useClient();
  const submission = useSubmission();
  const { api, details, onDone } = props;
  const { id, name } = details.user;
  const words = text.admin;
  switch (action) {
    case 'suspend':
      return <SuspendDialog {...props} onClose={onClose} />;
    case 'rename':
      return <RenameDialog {...props} onClose={onClose} />;
    case 'warn':
      return (
        <ReasonDialog
          title={words.questions.warn(name)}
          confirmLabel={words.actions.warn}
          hint={words.hints.warn}
          label={words.warningText}
          reasonHint={words.warningHint}
          submission={submission}
          onSubmit={async (warning) => onDone(await api.warn(id, { text: warning }), words.done.warn(name))}
          onClose={onClose}
        />
      );
    case 'restore':
    case 'revoke':
    case 'delete':
      return (
        <ReasonDialog
          title={words.questions[action](name)}
          confirmLabel={words.actions[action]}
          hint={words.hints[action]}
          submission={submission}
          onSubmit={async (reason) => onDone(await api[action](id, { reason }), words.done[action](name))}
          onClose={onClose}
        />
      );
    case 'export': {
      const save = async (): Promise<void> => saveFile(await api.exportData(id), `quadrex-data-${id}.json`);
      return (
        <ConfirmDialog title={words.questions.export(name)} confirmLabel={words.actions.export} testId="export-confirm" onConfirm={() => void save().catch((failure: unknown) => client.report(failure))} onClose={onClose}>
          {words.hints.export}
        </ConfirmDialog>
      );
    }
  }
}
