import type {
  Analyse,
  Analysis,
  BotList,
  ChangePassword,
  CreateTable,
  Exploration,
  Explore,
  FollowedUsers,
  HandoverPreview,
  InvitedAgain,
  Leaderboard,
  LinkCreated,
  LinkList,
  MatchId,
  MatchList,
  MatchRatings,
  MatchView,
  Me,
  NewAccount,
  NewInvitation,
  NewInvite,
  NewReport,
  NewToken,
  Opponents,
  QuickJoin,
  QuickJoined,
  RecoveryKeyCreated,
  RelatedUsers,
  RenameUser,
  ReviewStatus,
  SentInvitations,
  Session,
  SessionList,
  SessionsEnded,
  ShareCreated,
  ShareStatus,
  Speed,
  TableCreated,
  TableId,
  TableList,
  TokenCreated,
  TokenList,
  UserId,
  UserPage,
  UserView,
  Variant,
} from '../protocol/generated.ts';
import type { Credentials } from './credentials.ts';
import { post, postOnce, request, requestJson, requestWithBody, sendJson } from './http.ts';
import type { RankedHistory } from './ratings.ts';
import type { RelationKind } from './relations.ts';
import { shareSecretOf } from './share-links.ts';

/** A filter for a list of archived matches. */
export interface MatchFilter {
  readonly user?: UserId;
  /** The first letters of a player's name. */
  readonly player?: string;
  readonly variant?: Variant;
  /** The end of the previous page, from that page's `next`. */
  readonly before?: string;
  readonly limit?: number;
}

/**
 * The HTTP routes under `/api`. Each rejects with a `Refusal` if the server refuses the request,
 * and with a `TypeError` if the server cannot be reached. If a share link of a match was opened in
 * this tab, requests about the match contain the link's secret.
 */
export interface Api {
  /**
   * Starts a session as the user of the handover. Without a handover it is the user of the cookie,
   * and without a cookie a new guest.
   */
  session(handover?: string): Promise<Session>;
  /** Starts a session as the user of an account or of a recovery key. */
  signIn(credentials: Credentials): Promise<Session>;
  /** Starts a session as the user that this browser had before. */
  restorePreviousUser(): Promise<Session>;
  /** Returns the user of a handover and the user of the cookie. The handover stays unused. */
  previewHandover(secret: string): Promise<HandoverPreview>;
  createHandover(): Promise<LinkCreated>;
  /** Returns the user of the cookie. */
  me(): Promise<Me>;
  /** Returns the personal data that the server stores about the user, as a file. */
  exportData(): Promise<Blob>;
  /**
   * Deletes the user with the stored data. An account needs its password. The session of the cookie
   * ends with all others.
   */
  deleteUser(password?: string): Promise<void>;
  /** Returns the sessions of the user, newest first. */
  sessions(): Promise<SessionList>;
  /** Ends a session of the user. If it is the session of the cookie, this browser is signed out. */
  endSession(session: string): Promise<void>;
  /** Ends all sessions of the user but the one of the cookie. */
  endOtherSessions(): Promise<SessionsEnded>;
  /** Creates a recovery key of the user. It replaces an earlier one. */
  createRecoveryKey(): Promise<RecoveryKeyCreated>;
  removeRecoveryKey(): Promise<void>;
  /** Gives the user, a guest, an account. */
  createAccount(account: NewAccount): Promise<UserView>;
  /** Changes the password of the user's account. This ends the user's other sessions. */
  changePassword(passwords: ChangePassword): Promise<SessionsEnded>;
  /** Returns the user's tokens for programs, newest first. */
  tokens(): Promise<TokenList>;
  createToken(token: NewToken): Promise<TokenCreated>;
  revokeToken(token: string): Promise<void>;
  /** Returns the users in a list of the user, newest first. */
  relations(kind: 'mutes' | 'blocks'): Promise<RelatedUsers>;
  /** Returns the users whom the user follows, with what they do now. */
  follows(): Promise<FollowedUsers>;
  /** Returns the other players of the last matches of the user. */
  opponents(): Promise<Opponents>;
  /** Adds another user to a list of the user, or removes the other user from it. */
  setRelation(kind: RelationKind, other: UserId, isOn: boolean): Promise<void>;
  /** Records that the user has read a warning from the operators. */
  acknowledgeWarning(warning: number): Promise<void>;
  /** Invites a user to a table of the user. */
  invite(table: TableId, invitation: NewInvitation): Promise<void>;
  /** Returns the invitations to a table that were not accepted; for its host only. */
  sentInvitations(table: TableId): Promise<SentInvitations>;
  withdrawInvitation(table: TableId, user: UserId): Promise<void>;
  /** Accepts an invitation of the user. The link gives the user a seat. */
  acceptInvitation(table: TableId): Promise<LinkCreated>;
  declineInvitation(table: TableId): Promise<void>;
  /** Creates a table like that of an ended match of the user, and invites the other players. */
  inviteAgain(match: MatchId): Promise<InvitedAgain>;
  /** Reports a user to the operators. */
  report(report: NewReport): Promise<void>;
  /** Changes the user's name. */
  rename(name: string): Promise<UserView>;
  /**
   * Returns the public tables, newest first. If `before` is given, returns only tables that are
   * older than that table.
   */
  tables(before?: TableId): Promise<TableList>;
  createTable(body: CreateTable): Promise<TableCreated>;
  quickJoin(body: QuickJoin): Promise<QuickJoined>;
  createInvite(table: TableId, body: NewInvite): Promise<LinkCreated>;
  createWatchLink(table: TableId): Promise<LinkCreated>;
  /** Returns the unexpired links of a table; for its host only. */
  links(table: TableId): Promise<LinkList>;
  revokeLink(table: TableId, link: string): Promise<void>;
  /** Plays moves on a position outside of any match. The signal cancels the request. */
  explore(body: Explore, signal?: AbortSignal): Promise<Exploration>;
  /** Returns the bots that the server offers. */
  bots(): Promise<BotList>;
  /** Returns the analysis of a position by the server's engine; the signal cancels it. */
  analyse(body: Analyse, signal?: AbortSignal): Promise<Analysis>;
  matches(filter: MatchFilter): Promise<MatchList>;
  match(match: MatchId): Promise<MatchView>;
  /** Returns a match as PGN or PGN4. */
  notation(match: MatchId): Promise<string>;
  /** Returns the state of a match's review. */
  review(match: MatchId): Promise<ReviewStatus>;
  /** Requests the review of an ended match. */
  requestReview(match: MatchId): Promise<ReviewStatus>;
  /**
   * Returns when the user's share link of a match was created, if there is one; for players of the
   * match only.
   */
  share(match: MatchId): Promise<ShareStatus>;
  /** Creates the user's share link of an ended match. It replaces an earlier link of the user. */
  createShare(match: MatchId): Promise<ShareCreated>;
  removeShare(match: MatchId): Promise<void>;
  /** Returns the ratings of the players of a rated match; no seats for a casual match. */
  matchRatings(match: MatchId): Promise<MatchRatings>;
  /** Downloads a file about a match from a path. */
  matchFile(match: MatchId, path: string): Promise<Blob>;
  userPage(user: UserId): Promise<UserPage>;
  /** Returns the players with the best ratings in a variant at a speed. */
  leaderboard(variant: Variant, speed: Speed): Promise<Leaderboard>;
  /** Returns the ratings of a user after each rated match in a variant at a speed. */
  ratingHistory(user: UserId, variant: Variant, speed: Speed): Promise<RankedHistory>;
}

/** The HTTP routes of the server that this page came from. */
export const httpApi: Api = {
  session: (handover) => post('/api/session', handover === undefined ? undefined : { handover }),
  signIn: (credentials) => post('/api/session', credentials),
  restorePreviousUser: () => post('/api/session/back'),
  previewHandover: (secret) => post('/api/handovers/preview', { secret }),
  createHandover: () => post('/api/handovers'),
  me: () => requestJson('/api/me?limit=1'),
  exportData: async () => (await request('/api/me/export')).blob(),
  deleteUser: async (password) => void (await requestWithBody('POST', '/api/me/delete', password === undefined ? {} : { password })),
  sessions: () => requestJson('/api/sessions'),
  endSession: async (session) => void (await request(`/api/sessions/${session}`, { method: 'DELETE' })),
  endOtherSessions: () => requestJson('/api/sessions', { method: 'DELETE' }),
  createRecoveryKey: () => post('/api/recovery-key'),
  removeRecoveryKey: async () => void (await request('/api/recovery-key', { method: 'DELETE' })),
  createAccount: (account) => post('/api/account', account),
  changePassword: (passwords) => sendJson('PUT', '/api/account/password', passwords),
  tokens: () => requestJson('/api/tokens'),
  createToken: (token) => post('/api/tokens', token),
  revokeToken: async (token) => void (await request(`/api/tokens/${token}`, { method: 'DELETE' })),
  relations: (kind) => requestJson(`/api/me/${kind}`),
  follows: () => requestJson('/api/me/follows'),
  opponents: () => requestJson('/api/me/opponents'),
  setRelation: async (kind, other, isOn) => void (await request(`/api/me/${kind}/${other}`, { method: isOn ? 'PUT' : 'DELETE' })),
  acknowledgeWarning: async (warning) => void (await request(`/api/me/warnings/${warning}/acknowledge`, { method: 'POST' })),
  invite: async (table, invitation) => void (await requestWithBody('POST', `/api/tables/${table}/invitations`, invitation)),
  sentInvitations: (table) => requestJson(`/api/tables/${table}/invitations`),
  withdrawInvitation: async (table, user) => void (await request(`/api/tables/${table}/invitations/${user}`, { method: 'DELETE' })),
  acceptInvitation: (table) => post(`/api/me/invitations/${table}/accept`),
  declineInvitation: async (table) => void (await request(`/api/me/invitations/${table}`, { method: 'DELETE' })),
  inviteAgain: (match) => postOnce(`/api/matches/${match}/invite-again`, {}),
  report: async (report) => void (await requestWithBody('POST', '/api/reports', report)),
  rename: (name) => sendJson('PATCH', '/api/me', { name } satisfies RenameUser),
  tables: (before) => requestJson(`/api/tables${before === undefined ? '' : `?before=${before}`}`),
  createTable: (body) => postOnce('/api/tables', body),
  quickJoin: (body) => postOnce('/api/quick-join', body),
  createInvite: (table, body) => post(`/api/tables/${table}/invites`, body),
  createWatchLink: (table) => post(`/api/tables/${table}/watch-links`),
  links: (table) => requestJson(`/api/tables/${table}/links`),
  revokeLink: async (table, link) => void (await request(`/api/tables/${table}/links/${link}`, { method: 'DELETE' })),
  explore: (body, signal) => post('/api/explore', body, signal),
  bots: () => requestJson('/api/bots'),
  analyse: (body, signal) => post('/api/analyse', body, signal),
  matches: (filter) => requestJson(`/api/matches${queryString(filter)}`),
  match: (match) => requestJson(`/api/matches/${match}`, optionsFor(match)),
  notation: async (match) => (await request(`/api/matches/${match}/notation`, optionsFor(match))).text(),
  review: (match) => requestJson(`/api/matches/${match}/review`, optionsFor(match)),
  requestReview: (match) => requestJson(`/api/matches/${match}/review`, { method: 'POST', ...optionsFor(match) }),
  share: (match) => requestJson(`/api/matches/${match}/share`),
  createShare: (match) => post(`/api/matches/${match}/share`),
  removeShare: async (match) => void (await request(`/api/matches/${match}/share`, { method: 'DELETE' })),
  matchRatings: (match) => requestJson(`/api/matches/${match}/ratings`, optionsFor(match)),
  matchFile: async (match, path) => (await request(path, optionsFor(match))).blob(),
  userPage: (user) => requestJson(`/api/users/${user}`),
  leaderboard: (variant, speed) => requestJson(`/api/ratings/${variant}/${speed}`),
  ratingHistory: (user, variant, speed) => requestJson(`/api/users/${user}/ratings/${variant}/${speed}`),
};

/** Returns the options of a request about a match. */
function optionsFor(match: MatchId): RequestInit {
  const secret = shareSecretOf(match);
  return secret === null ? {} : { headers: { 'share-secret': secret } };
}

function queryString(filter: MatchFilter): string {
  const given = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
