import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupMember, GroupRole, GroupView, UserView } from '../../protocol/generated.ts';
import type { GroupsApi } from '../../store/groups-api.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';
import { UserName } from '../user-name.tsx';
import { useRefreshed } from './use-refreshed.ts';

/** The members of a group. The owner and the admins can remove members, and let them back in. */
export function GroupMembersSection({ api, group }: { api: GroupsApi; group: GroupView }): JSX.Element {
  const client = useClient();
  const words = text.groups;
  const { value, error, retry, refresh } = useRefreshed(() => api.members(group.group), `${group.group} ${group.role ?? ''} ${group.members}`);
  /** Sends a change, and requests the members again. */
  const change = (send: () => Promise<void>): void => void send().then(refresh, (failure: unknown) => client.report(failure));
  const removed = value?.removed ?? [];
  return (
    <section class="tables" aria-labelledby="group-members-title" data-testid="group-members" aria-busy={value === null && error === null}>
      <h2 id="group-members-title">{words.memberList}</h2>
      {error !== null && value === null && <LoadError error={error} onRetry={retry} />}
      <ul class="session-list friends">
        {(value?.members ?? []).map((member) => (
          <MemberRow
            key={member.user.id}
            member={member}
            viewerRole={group.role}
            onRole={(role) => change(() => api.setRole(group.group, member.user.id, role))}
            onRemove={() => change(() => api.removeMember(group.group, member.user.id))}
          />
        ))}
      </ul>
      {removed.length > 0 && (
        <>
          <h3>{words.removed}</h3>
          <ul class="session-list friends">
            {removed.map((user) => (
              <RemovedRow key={user.id} user={user} onLetBack={() => change(() => api.setRole(group.group, user.id, 'member'))} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface MemberRowProps {
  readonly member: GroupMember;
  /** The role of the viewer; `undefined` for a user who is not a member. */
  readonly viewerRole: GroupRole | undefined;
  readonly onRole: (role: GroupRole) => void;
  readonly onRemove: () => void;
}

function MemberRow({ member: { user, role, online = false }, viewerRole, onRole, onRemove }: MemberRowProps): JSX.Element {
  const words = text.groups;
  const viewer = useClient().user.value?.id;
  const [isAsking, setAsking] = useState(false);
  const isOther = user.id !== viewer;
  const mayRemove = isOther && ((viewerRole === 'owner' && role !== 'owner') || (viewerRole === 'admin' && role === 'member'));
  const mayChange = isOther && viewerRole === 'owner' && user.account === true;
  return (
    <li class="session group-member" data-testid="group-member" data-user={user.id} data-online={online}>
      <span class="session-text">
        <a class="session-name" href={`/u/${user.id}`}>
          <UserName user={user} />
        </a>
        <span class="quiet friend-state">
          <span class="presence" data-presence={online ? 'connected' : 'gone'} aria-hidden="true" />
          {[online ? words.online : words.offline, ...(role === 'member' ? [] : [words.roles[role]])].join(' · ')}
        </span>
      </span>
      {(mayRemove || mayChange) && (
        <details class="member-actions">
          <summary class="button small" aria-label={words.actions(nameOf(user))} data-testid="member-actions">
            …
          </summary>
          <div class="buttons">
            {mayChange && (
              <button type="button" class="button small" data-testid="member-role" onClick={() => onRole(role === 'admin' ? 'member' : 'admin')}>
                {role === 'admin' ? words.makeMember : words.makeAdmin}
              </button>
            )}
            {mayChange && (
              <button type="button" class="button small" data-testid="member-owner" onClick={() => onRole('owner')}>
                {words.makeOwner}
              </button>
            )}
            {mayRemove && (
              <button type="button" class="button small" data-testid="member-remove" onClick={() => setAsking(true)}>
                {words.removeMember}
              </button>
            )}
          </div>
        </details>
      )}
      {isAsking && (
        <ConfirmDialog title={words.removeMemberTitle(nameOf(user))} confirmLabel={words.removeMember} testId="member-remove-confirm" onConfirm={onRemove} onClose={() => setAsking(false)}>
          {words.removeMemberHint}
        </ConfirmDialog>
      )}
    </li>
  );
}

function RemovedRow({ user, onLetBack }: { user: UserView; onLetBack: () => void }): JSX.Element {
  return (
    <li class="session" data-testid="removed-member">
      <span class="session-text">
        <UserName user={user} />
      </span>
      <button type="button" class="button small" data-testid="let-back" aria-label={text.groups.letBackOf(nameOf(user))} onClick={onLetBack}>
        {text.groups.letBack}
      </button>
    </li>
  );
}
