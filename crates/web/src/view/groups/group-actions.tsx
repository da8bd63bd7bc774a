import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/generated.ts';
import type { GroupsApi } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';
import { GroupDialog } from './group-dialog.tsx';

interface GroupActionsProps {
  readonly api: GroupsApi;
  readonly group: GroupView;
  readonly onChanged: (group: GroupView, done: string) => void;
}

/** The buttons of a member: leaving, and changing or deleting the group if the role allows it. */
export function GroupActions({ api, group: view, onChanged }: GroupActionsProps): JSX.Element {
  const client = useClient();
  const words = text.groups;
  const { group, name, role } = view;
  const [open, setOpen] = useState<'edit' | 'leave' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  /** Sends an action after which the group is no longer shown. */
  const end = (send: () => Promise<void>): void => void send().then(() => goTo('/groups'), (failure: unknown) => client.report(failure));
  return (
    <div class="buttons" data-testid="group-actions">
      {role !== 'member' && (
        <button type="button" class="button" data-testid="edit-group" onClick={() => setOpen('edit')}>
          {words.edit}
        </button>
      )}
      <button type="button" class="button" data-testid="leave-group" onClick={() => setOpen('leave')}>
        {words.leave}
      </button>
      {role === 'owner' && (
        <button type="button" class="button danger" data-testid="delete-group" onClick={() => setOpen('remove')}>
          {words.remove}
        </button>
      )}
      {open === 'edit' && <GroupDialog title={words.edit} submitLabel={words.save} group={view} save={(change) => api.change(group, change)} onSaved={(changed) => onChanged(changed, '')} onClose={close} />}
      {open === 'leave' && (
        <ConfirmDialog title={words.leaveTitle(name)} confirmLabel={words.leave} testId="leave-group-confirm" onConfirm={() => end(() => api.removeMember(group, client.user.value?.id ?? ''))} onClose={close}>
          {role === 'owner' ? words.ownerLeaves : words.leaveHint}
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog title={words.removeTitle(name)} confirmLabel={words.remove} testId="delete-group-confirm" onConfirm={() => end(() => api.remove(group))} onClose={close}>
          {words.removeHint}
        </ConfirmDialog>
      )}
    </div>
  );
}
