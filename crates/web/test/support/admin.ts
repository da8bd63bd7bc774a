import type { AdminUserDetails, UserView } from '../../src/protocol/generated.ts';
import type { AdminApi } from '../../src/store/admin-api.ts';
import { user } from './boards.ts';

/** The routes for operators without a server: each test provides those that it needs. */
export const NO_ADMIN_API: AdminApi = {
  users: () => Promise.reject(new Error('no users')),
  user: () => Promise.reject(new Error('no users')),
  suspend: () => Promise.reject(new Error('no suspensions')),
  warn: () => Promise.reject(new Error('no warnings')),
  closeTable: () => Promise.reject(new Error('no tables')),
  restore: () => Promise.reject(new Error('no suspensions')),
  rename: () => Promise.reject(new Error('no names')),
  revoke: () => Promise.reject(new Error('no sessions')),
  delete: () => Promise.reject(new Error('no deletions')),
  pairs: () => Promise.reject(new Error('no pairs')),
  pair: () => Promise.reject(new Error('no pairs')),
  reports: () => Promise.reject(new Error('no reports')),
  report: () => Promise.reject(new Error('no reports')),
  closeReport: () => Promise.reject(new Error('no reports')),
  exportData: () => Promise.reject(new Error('no data')),
};

/** Returns what operators see about a user. */
export function detailsOf(of: UserView = user('Rude'), more: Partial<AdminUserDetails> = {}): AdminUserDetails {
  return { user: of, created_at_ms: Date.UTC(2026, 10, 1), sessions: 2, tokens: 1, reports: 3, open_reports: 1, matches: [], ...more };
}
