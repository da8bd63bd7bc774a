import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { GroupId, GroupView } from '../../protocol/generated.ts';
import { replaceAddress } from '../../store/address.ts';
import { httpGroupsApi, type GroupsApi } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { GroupActions } from './group-actions.tsx';
import { GroupLink } from './group-link.tsx';
import { GroupMembersSection } from './group-members.tsx';
import { GroupStandingsSection } from './group-standings.tsx';
import { GroupTablesSection } from './group-tables.tsx';

/** The page of a group, or the invitation to it for a user who is not a member. */
export function GroupPage({ group, api = httpGroupsApi }: { group: GroupId; api?: GroupsApi }): JSX.Element {
  const client = useClient();
  const user = client.user.value;
  const [secret] = useState(takeSecret);
  const { value, error, set, retry } = useLoaded(() => api.group(group, secret), user === null ? undefined : `${group} ${user.id}`);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(value?.name ?? text.groups.title);
  if (error instanceof Refusal && error.code === 'not_found') return <GroupNotFound />;
  const onChanged = (changed: GroupView, done: string): void => {
    set(changed);
    setResult(done);
    heading.current?.focus();
  };
  return (
    <main id="content" class="archive" aria-busy={value === null && error === null}>
      <header class="page-head" data-testid="group">
        <h1 ref={heading} tabIndex={-1}>
          {value?.name ?? '…'}
        </h1>
        {value !== null && (
          <p class="quiet">
            <a href="/groups">{text.groups.title}</a>
            {` · ${text.groups.marks[value.visibility]} · ${text.groups.members(value.members)}`}
          </p>
        )}
        {value?.text !== undefined && <p class="group-text">{value.text}</p>}
      </header>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      <p role="status" data-testid="group-result">
        {result}
      </p>
      {value !== null && value.role === undefined && <JoinPanel api={api} group={value} secret={secret} onJoined={(joined) => onChanged(joined, text.groups.joined(joined.name))} />}
      {value !== null && (value.role !== undefined || value.visibility === 'public') && (
        <>
          <GroupTablesSection api={api} group={value} />
          <GroupStandingsSection api={api} group={value} />
          <GroupMembersSection api={api} group={value} />
        </>
      )}
      {value?.role !== undefined && (
        <>
          {(value.secret !== undefined || value.visibility === 'public') && <GroupLink api={api} group={value} onChanged={onChanged} />}
          <GroupActions api={api} group={value} onChanged={onChanged} />
        </>
      )}
    </main>
  );
}

/** Removes the secret of the group's link from the address and returns it. */
function takeSecret(): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('join');
  if (secret !== null) replaceAddress(history, location.pathname + location.search);
  return secret;
}

/** The question to a user who is not a member. */
function JoinPanel({ api, group, secret, onJoined }: { api: GroupsApi; group: GroupView; secret: string | null; onJoined: (group: GroupView) => void }): JSX.Element {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const isMounted = useRef(true);
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  const join = async (): Promise<void> => {
    setBusy(true);
    try {
      onJoined(await api.join(group.group, secret));
    } catch (failure) {
      client.report(failure);
    }
    if (isMounted.current) setBusy(false);
  };
  return (
    <section class="card group-join" data-testid="group-join">
      {secret !== null && <p>{text.groups.invitedTo}</p>}
      <button type="button" class="button primary" data-testid="join-group" disabled={isBusy} onClick={() => void join()}>
        {text.groups.join}
      </button>
    </section>
  );
}

function GroupNotFound(): JSX.Element {
  return (
    <main id="content" class="empty-page" data-testid="missing">
      <h1>{text.groups.notFound}</h1>
      <p>{text.groups.notFoundHint}</p>
      <a class="button primary" href="/groups">
        {text.groups.title}
      </a>
    </main>
  );
}
