import type { TableSummary, UserId, UserView } from '../protocol/generated.ts';
import { post, request, requestJson, requestWithBody, sendJson } from './http.ts';

/** The id of a group. */
export type GroupId = string;

/** Only the members see a private group. Everybody sees a public group, and may join it. */
export type GroupVisibility = 'private' | 'public';

/** The role of a member. The owner and the admins can change the group. */
export type GroupRole = 'owner' | 'admin' | 'member';

/** A new group. It is private if no visibility is given. */
export interface NewGroup {
  readonly name: string;
  readonly text?: string;
  readonly visibility?: GroupVisibility;
}

/** The changes of a group. An empty text removes the description. */
export type ChangeGroup = Partial<NewGroup>;

/** A group. */
export interface GroupView {
  readonly group: GroupId;
  readonly name: string;
  readonly text?: string;
  readonly visibility: GroupVisibility;
  readonly created_at_ms: number;
  /** The number of members. */
  readonly members: number;
  /** The role of the user; absent if the user is not a member. */
  readonly role?: GroupRole;
  /** The secret of the link of a private group, for its owner and its admins. */
  readonly secret?: string;
}

/** The groups of the user. */
export interface GroupList {
  readonly groups: readonly GroupView[];
}

/** A member of a group. */
export interface GroupMember {
  readonly user: UserView;
  readonly role: GroupRole;
  readonly since_ms: number;
  readonly online?: boolean;
}

/** The members of a group and, for its owner and its admins, the removed users. */
export interface GroupMembers {
  readonly members: readonly GroupMember[];
  readonly removed?: readonly UserView[];
}

/** The unfinished tables of a group. */
export interface GroupTables {
  readonly tables: readonly TableSummary[];
}

/** The results of a user in the matches of a group. */
export interface GroupStanding {
  readonly user: UserView;
  /** False for a user who has left the group. */
  readonly member: boolean;
  readonly matches: number;
  readonly wins: number;
  readonly points: number;
  readonly places: readonly number[];
}

/** The standings of a group, the best player first. */
export interface GroupStandings {
  readonly standings: readonly GroupStanding[];
}

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
