import type { AdminReason, AdminRename, AdminReportDetails, AdminReportList, AdminUserDetails, AdminUserList, CloseReport, PairDetails, PairList, SuspendUser, TableClosed, TableId, UserId, WarnUser } from '../protocol/generated.ts';
import { post, request, requestJson } from './http.ts';

/** The users that an operator looks for: by the beginning of a name, or the suspended ones. */
export type UserFilter = { readonly name: string } | { readonly suspended: true };

/** The reports that an operator looks for. */
export interface ReportFilter {
  readonly state: 'open' | 'closed';
  /** The end of the previous page, from that page's `next`. */
  readonly before?: number;
}

/** The HTTP routes under `/api/admin`, which exist for operators only. */
export interface AdminApi {
  users(filter: UserFilter): Promise<AdminUserList>;
  user(user: UserId): Promise<AdminUserDetails>;
  suspend(user: UserId, body: SuspendUser): Promise<AdminUserDetails>;
  /** Sends a warning, which the user sees. */
  warn(user: UserId, body: WarnUser): Promise<AdminUserDetails>;
  /** Ends the suspension of a user. */
  restore(user: UserId, body: AdminReason): Promise<AdminUserDetails>;
  rename(user: UserId, body: AdminRename): Promise<AdminUserDetails>;
  /** Ends all sessions of a user and revokes all tokens. */
  revoke(user: UserId, body: AdminReason): Promise<AdminUserDetails>;
  /** Deletes a user with the stored data. */
  delete(user: UserId, body: AdminReason): Promise<AdminUserDetails>;
  closeTable(table: TableId, body: AdminReason): Promise<TableClosed>;
  /** Returns the open or closed reports, newest first; with `before`, those that are older. */
  reports(filter: ReportFilter): Promise<AdminReportList>;
  report(number: number): Promise<AdminReportDetails>;
  closeReport(number: number, body: CloseReport): Promise<AdminReportDetails>;
  /** Returns the pairs of players who spare each other most conspicuously. */
  pairs(): Promise<PairList>;
  /** Returns a pair of players, with the matches that both have played. */
  pair(a: UserId, b: UserId): Promise<PairDetails>;
  /** Returns the personal data that the server stores about a user, as a file. */
  exportData(user: UserId): Promise<Blob>;
}

/** The routes of the server that this page came from. */
export const httpAdminApi: AdminApi = {
  users: (filter) => requestJson(`/api/admin/users?${new URLSearchParams('name' in filter ? filter : { suspended: 'true' }).toString()}`),
  user: (user) => requestJson(`/api/admin/users/${user}`),
  suspend: (user, body) => post(`/api/admin/users/${user}/suspend`, body),
  warn: (user, body) => post(`/api/admin/users/${user}/warn`, body),
  restore: (user, body) => post(`/api/admin/users/${user}/restore`, body),
  rename: (user, body) => post(`/api/admin/users/${user}/rename`, body),
  revoke: (user, body) => post(`/api/admin/users/${user}/revoke`, body),
  delete: (user, body) => post(`/api/admin/users/${user}/delete`, body),
  closeTable: (table, body) => post(`/api/admin/tables/${table}/close`, body),
  reports: ({ state, before }) => requestJson(`/api/admin/reports?${new URLSearchParams({ state, ...(before === undefined ? {} : { before: String(before) }) }).toString()}`),
  report: (number) => requestJson(`/api/admin/reports/${number}`),
  closeReport: (number, body) => post(`/api/admin/reports/${number}/close`, body),
  pairs: () => requestJson('/api/admin/pairs?limit=100'),
  pair: (a, b) => requestJson(`/api/admin/pairs/${a}/${b}`),
  exportData: async (user) => (await request(`/api/admin/users/${user}/export`)).blob(),
};
