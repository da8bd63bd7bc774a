import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminUser } from '../../protocol/generated.ts';
import type { AdminApi, UserFilter } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { LoadError } from '../load-error.tsx';
import { MAX_NAME_LENGTH } from '../name-form.tsx';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { AdminNav } from './admin-nav.tsx';
import { UserRow } from './user-row.tsx';

/** The number of users in the longest list of the server (docs/PROTOCOL.md, "Operators"). */
const MAX_LISTED = 50;

interface UsersPageProps {
  readonly api: AdminApi;
  /** The beginning of the names of the listed users. */
  readonly name: string | null;
  /** Set if the suspended users are listed. */
  readonly suspended: boolean;
}

/** The page on which operators find users. The address contains what they look for. */
export function UsersPage({ api, name, suspended }: UsersPageProps): JSX.Element {
  const words = text.admin;
  const filter: UserFilter | null = suspended ? { suspended } : name === null ? null : { name };
  const loaded = useLoaded(() => (filter === null ? Promise.resolve({ users: [] }) : api.users(filter)), JSON.stringify(filter));
  useTitle(words.title);
  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.tagline}</p>
      </header>
      <AdminNav current={suspended ? 'suspended' : 'search'} />
      {!suspended && <Search key={name} name={name ?? ''} />}
      {loaded.error !== null && <LoadError error={loaded.error} onRetry={loaded.retry} />}
      {filter !== null && loaded.error === null && (
        <UserList users={loaded.value?.users ?? null} none={suspended ? words.noneSuspended : words.none} label={suspended ? words.lists.suspended : words.found} />
      )}
    </main>
  );
}

/** The search by the beginning of a name. */
function Search({ name }: { name: string }): JSX.Element {
  const words = text.admin;
  const [typed, setTyped] = useState(name);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed.trim() !== '') goTo(`/admin?${new URLSearchParams({ name: typed.trim() }).toString()}`);
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label for="user-name">{words.searchLabel}</label>
        <input
          id="user-name"
          class="input"
          type="search"
          data-testid="user-search-input"
          value={typed}
          maxLength={MAX_NAME_LENGTH}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button" data-testid="user-search">
          {text.archive.search}
        </button>
      </form>
    </search>
  );
}

interface UserListProps {
  /** The users; `null` while they are loaded. */
  readonly users: readonly AdminUser[] | null;
  /** The text of an empty list. */
  readonly none: string;
  readonly label: string;
}

function UserList({ users, none, label }: UserListProps): JSX.Element {
  return (
    <section class="admin-users" aria-label={label} aria-busy={users === null} data-testid="admin-users">
      {users?.length === 0 && <p class="empty">{none}</p>}
      {users !== null && users.length > 0 && (
        <ul class="session-list">
          {users.map((one) => (
            <UserRow key={one.user.id} user={one} />
          ))}
        </ul>
      )}
      {users !== null && users.length >= MAX_LISTED && <p class="quiet">{text.admin.onlyFirst(MAX_LISTED)}</p>}
    </section>
  );
}
