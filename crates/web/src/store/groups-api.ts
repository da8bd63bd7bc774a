import type {
  ChangeGroup,
  GroupId,
  GroupList,
  GroupMembers,
  GroupRole,
  GroupStandings,
  GroupTables,
  GroupView,
  NewGroup,
  UserId,
} from '../protocol/generated.ts';
import { post, request, requestJson, requestWithBody, sendJson } from './http.ts';

/** The time from which matches count in the standings of a group. */
export type Period = 'all' | 'month';

/** The HTTP routes of groups. */
export interface GroupsApi {
  /** Returns the groups of the user. */
  own(): Promise<GroupList>;
  create(group: NewGroup): Promise<GroupView>;
  /** Returns a group. The secret of its link shows a private group to a user who is not a member. */
  group(group: GroupId, secret: string | null): Promise<GroupView>;
  join(group: GroupId, secret: string | null): Promise<GroupView>;
  change(group: GroupId, change: ChangeGroup): Promise<GroupView>;
  /** Creates another link of a group. The old one no longer works. */
  renewLink(group: GroupId): Promise<GroupView>;
  remove(group: GroupId): Promise<void>;
  members(group: GroupId): Promise<GroupMembers>;
  setRole(group: GroupId, user: UserId, role: GroupRole): Promise<void>;
  /** Removes a member. A user who removes themselves leaves the group. */
  removeMember(group: GroupId, user: UserId): Promise<void>;
  tables(group: GroupId): Promise<GroupTables>;
  standings(group: GroupId, period: Period): Promise<GroupStandings>;
}

/** The routes of the server that this page came from. */
export const httpGroupsApi: GroupsApi = {
  own: () => requestJson('/api/me/groups'),
  create: (group) => post('/api/groups', group),
  group: (group, secret) => requestJson(`/api/groups/${group}`, secret === null ? undefined : { headers: { 'group-secret': secret } }),
  join: (group, secret) => post(`/api/groups/${group}/join`, secret === null ? {} : { secret }),
  change: (group, change) => sendJson('PATCH', `/api/groups/${group}`, change),
  renewLink: (group) => post(`/api/groups/${group}/secret`),
  remove: async (group) => void (await request(`/api/groups/${group}`, { method: 'DELETE' })),
  members: (group) => requestJson(`/api/groups/${group}/members`),
  setRole: async (group, user, role) => void (await requestWithBody('PUT', `/api/groups/${group}/members/${user}`, { role })),
  removeMember: async (group, user) => void (await request(`/api/groups/${group}/members/${user}`, { method: 'DELETE' })),
  tables: (group) => requestJson(`/api/groups/${group}/tables`),
  standings: (group, period) => requestJson(`/api/groups/${group}/standings?period=${period}`),
};
