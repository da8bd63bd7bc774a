import { Connection } from '../../src/connection/connection.ts';
import type { Api } from '../../src/store/api.ts';
import { Client } from '../../src/store/client.ts';
import { browserPersistence } from '../../src/store/persistence.ts';
import { user } from './boards.ts';
import { FakeSocket } from './fake-socket.ts';

/** An API without a server: each test provides the routes that it needs. */
export const NO_API: Api = {
  session: () => Promise.reject(new Error('no session')),
  relations: () => Promise.resolve({ users: [] }),
  follows: () => Promise.resolve({ users: [] }),
  opponents: () => Promise.resolve({ opponents: [] }),
  setRelation: () => Promise.reject(new Error('no relations')),
  acknowledgeWarning: () => Promise.reject(new Error('no warnings')),
  invite: () => Promise.reject(new Error('no invitations')),
  sentInvitations: () => Promise.resolve({ invitations: [] }),
  withdrawInvitation: () => Promise.reject(new Error('no invitations')),
  acceptInvitation: () => Promise.reject(new Error('no invitations')),
  declineInvitation: () => Promise.reject(new Error('no invitations')),
  inviteAgain: () => Promise.reject(new Error('no invitations')),
  report: () => Promise.reject(new Error('no reports')),
  rename: () => Promise.reject(new Error('no names')),
  tables: () => Promise.reject(new Error('no list')),
  createTable: () => Promise.reject(new Error('no tables')),
  quickJoin: () => Promise.reject(new Error('no quick join')),
  restorePreviousUser: () => Promise.reject(new Error('nobody before')),
  previewHandover: () => Promise.reject(new Error('no previews')),
  me: () => Promise.reject(new Error('no user')),
  exportData: () => Promise.reject(new Error('no data')),
  deleteUser: () => Promise.reject(new Error('no data')),
  sessions: () => Promise.reject(new Error('no sessions')),
  endSession: () => Promise.reject(new Error('no sessions')),
  endOtherSessions: () => Promise.reject(new Error('no sessions')),
  signIn: () => Promise.reject(new Error('no accounts')),
  createRecoveryKey: () => Promise.reject(new Error('no keys')),
  removeRecoveryKey: () => Promise.reject(new Error('no keys')),
  createAccount: () => Promise.reject(new Error('no accounts')),
  changePassword: () => Promise.reject(new Error('no accounts')),
  tokens: () => Promise.reject(new Error('no tokens')),
  createToken: () => Promise.reject(new Error('no tokens')),
  revokeToken: () => Promise.reject(new Error('no tokens')),
  createHandover: () => Promise.reject(new Error('no handovers')),
  createInvite: () => Promise.reject(new Error('no invites')),
  createWatchLink: () => Promise.reject(new Error('no watch links')),
  links: () => Promise.resolve({ links: [] }),
  revokeLink: () => Promise.reject(new Error('no links')),
  explore: () => Promise.reject(new Error('no exploring')),
  bots: () => Promise.reject(new Error('no bots')),
  analyse: () => Promise.reject(new Error('no engine')),
  matches: () => Promise.reject(new Error('no matches')),
  match: () => Promise.reject(new Error('no match')),
  notation: () => Promise.reject(new Error('no notation')),
  review: () => Promise.reject(new Error('no review')),
  requestReview: () => Promise.reject(new Error('no review')),
  share: () => Promise.resolve({}),
  createShare: () => Promise.reject(new Error('no share links')),
  removeShare: () => Promise.reject(new Error('no share links')),
  matchRatings: () => Promise.reject(new Error('no ratings')),
  matchFile: () => Promise.reject(new Error('no files')),
  userPage: () => Promise.reject(new Error('no users')),
  leaderboard: () => Promise.reject(new Error('no ratings')),
  ratingHistory: () => Promise.reject(new Error('no ratings')),
};

/**
 * Returns an online client with the user Ada, its socket, and a function that returns the latest
 * socket.
 */
export function onlineClient(
  api: Partial<Api> = {},
  { hasName = true }: { hasName?: boolean } = {},
): { client: Client; socket: FakeSocket; current: () => FakeSocket } {
  let current = new FakeSocket();
  const client = new Client({ ...NO_API, ...api }, browserPersistence(), (events) =>
    new Connection(events, {
      openSocket: () => {
        current = new FakeSocket();
        return current as unknown as WebSocket;
      },
      random: () => 0,
    }),
  );
  client.user.value = user('Ada');
  if (hasName) client.nameQuestion.answered();
  client.connection.connect();
  current.open();
  current.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ada') });
  return { client, socket: current, current: () => current };
}
