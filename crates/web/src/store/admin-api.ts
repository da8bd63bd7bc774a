import type { AdminReason, AdminRename, AdminUserDetails, AdminUserList, SuspendUser, UserId } from '../protocol/generated.ts';
import { post, request, requestJson } from './http.ts';

/** The users that an operator looks for: by the beginning of a name, or the suspended ones. */
export type UserFilter = { readonly name: string } | { readonly suspended: true };

/** The HTTP routes under `/api/admin`, which exist for operators only. */
export interface AdminApi {
  users(filter: UserFilter): Promise<AdminUserList>;
  user(user: UserId): Promise<AdminUserDetails>;
  suspend(user: UserId, body: SuspendUser): Promise<AdminUserDetails>;
  /** Ends the suspension of a user. */
  restore(user: UserId, body: AdminReason): Promise<AdminUserDetails>;
  rename(user: UserId, body: AdminRename): Promise<AdminUserDetails>;
  /** Ends all sessions of a user and revokes all tokens. */
  revoke(user: UserId, body: AdminReason): Promise<AdminUserDetails>;
  /** Returns the personal data that the server stores about a user, as a file. */
  exportData(user: UserId): Promise<Blob>;
}

/** The routes of the server that this page came from. */
export const httpAdminApi: AdminApi = {
  users: (filter) => requestJson(`/api/admin/users?${new URLSearchParams('name' in filter ? filter : { suspended: 'true' }).toString()}`),
  user: (user) => requestJson(`/api/admin/users/${user}`),
  suspend: (user, body) => post(`/api/admin/users/${user}/suspend`, body),
  restore: (user, body) => post(`/api/admin/users/${user}/restore`, body),
  rename: (user, body) => post(`/api/admin/users/${user}/rename`, body),
  revoke: (user, body) => post(`/api/admin/users/${user}/revoke`, body),
  exportData: async (user) => (await request(`/api/admin/users/${user}/export`)).blob(),
};
