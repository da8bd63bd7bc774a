import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/generated.ts';
import { httpGroupsApi, type GroupsApi } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { GroupDialog } from './group-dialog.tsx';

/** The page with the groups of the user. */
export function GroupsPage({ api = httpGroupsApi }: { api?: GroupsApi }): JSX.Element {
  const user = useClient().user.value;
  const words = text.groups;
  const groups = useLoaded(async () => (await api.own()).groups, user?.id);
  const [isCreating, setCreating] = useState(false);
  useTitle(words.title);
  return (
    <main id="content" class="archive" aria-busy={groups.value === null && groups.error === null}>
      <header class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.tagline}</p>
      </header>
      {groups.error !== null && <LoadError error={groups.error} onRetry={groups.retry} />}
      {groups.value?.length === 0 && <p class="empty">{words.none}</p>}
      <ul class="session-list friends">
        {(groups.value ?? []).map((group) => (
          <GroupRow key={group.group} group={group} />
        ))}
      </ul>
      {user?.account === true ? (
        <div class="buttons">
          <button type="button" class="button primary" data-testid="create-group" onClick={() => setCreating(true)}>
            {words.create}
          </button>
        </div>
      ) : (
        user !== null && (
          <p class="quiet" data-testid="groups-account">
            {words.needsAccount} <a href="/sign-up">{text.account.create}</a>
          </p>
        )
      )}
      {isCreating && (
        <GroupDialog title={words.create} submitLabel={words.create} save={(group) => api.create(group)} onSaved={({ group }) => goTo(`/g/${group}`)} onClose={() => setCreating(false)} />
      )}
    </main>
  );
}

function GroupRow({ group: { group, name, members, visibility, role } }: { group: GroupView }): JSX.Element {
  const words = text.groups;
  const facts = [words.marks[visibility], words.members(members), ...(role === undefined || role === 'member' ? [] : [words.roles[role]])];
  return (
    <li class="session" data-testid="group-row">
      <span class="session-text">
        <a class="session-name" href={`/g/${group}`}>
          {name}
        </a>
        <span class="quiet">{facts.join(' · ')}</span>
      </span>
    </li>
  );
}
