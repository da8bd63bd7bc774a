import type {
  Analyse,
  Analysis,
  BotList,
  CreateTable,
  ErrorBody,
  Exploration,
  Explore,
  HandoverPreview,
  LinkCreated,
  LinkList,
  MatchId,
  MatchList,
  MatchView,
  Me,
  NewInvite,
  QuickJoin,
  QuickJoined,
  Session,
  TableCreated,
  TableId,
  TableList,
  UserId,
  UserPage,
  Variant,
} from '../protocol/generated.ts';
import { newCmd, Refusal } from '../connection/outbox.ts';

/** The query of matches in the archive. */
export interface MatchFilter {
  readonly user?: UserId;
  /** The beginning of a player's name. */
  readonly player?: string;
  readonly variant?: Variant;
  /** End of the previous page of the list. */
  readonly before?: string;
  readonly limit?: number;
}

/** The HTTP routes under `/api`. Each rejects with a `Refusal` if the server refuses, a `TypeError` if it is not there. */
export interface Api {
  /** Becomes somebody: whom a handover names, else who the cookie names, else a new guest. */
  session(handover?: string): Promise<Session>;
  /** Becomes the user again that a handover took the place of. */
  goBack(): Promise<Session>;
  /** Returns whom a handover names and who the cookie names, and changes nothing. */
  previewHandover(secret: string): Promise<HandoverPreview>;
  createHandover(): Promise<LinkCreated>;
  me(): Promise<Me>;
  /** The public tables, newest first; those after one of them, if it is given. */
  tables(before?: TableId): Promise<TableList>;
  createTable(body: CreateTable): Promise<TableCreated>;
  quickJoin(body: QuickJoin): Promise<QuickJoined>;
  createInvite(table: TableId, body: NewInvite): Promise<LinkCreated>;
  createWatchLink(table: TableId): Promise<LinkCreated>;
  /** The links of a table that have not expired, for its host. */
  links(table: TableId): Promise<LinkList>;
  revokeLink(table: TableId, link: string): Promise<void>;
  /** Follows moves that are no match's; given up when the signal says so. */
  explore(body: Explore, signal?: AbortSignal): Promise<Exploration>;
  /** Returns the bots to choose from. */
  bots(): Promise<BotList>;
  /** Returns the analysis of a position by the server's engine; the signal cancels it. */
  analyse(body: Analyse, signal?: AbortSignal): Promise<Analysis>;
  matches(filter: MatchFilter): Promise<MatchList>;
  match(match: MatchId): Promise<MatchView>;
  /** A match as PGN or PGN4. */
  notation(match: MatchId): Promise<string>;
  userPage(user: UserId): Promise<UserPage>;
}

/** The routes of the server this page came from. */
export const httpApi: Api = {
  session: (handover) => post('/api/session', handover === undefined ? undefined : { handover }),
  goBack: () => post('/api/session/back'),
  previewHandover: (secret) => post('/api/handovers/preview', { secret }),
  createHandover: () => post('/api/handovers'),
  me: () => call('/api/me?limit=100'),
  tables: (before) => call(`/api/tables${before === undefined ? '' : `?before=${before}`}`),
  createTable: (body) => postOnce('/api/tables', body),
  quickJoin: (body) => postOnce('/api/quick-join', body),
  createInvite: (table, body) => post(`/api/tables/${table}/invites`, body),
  createWatchLink: (table) => post(`/api/tables/${table}/watch-links`),
  links: (table) => call(`/api/tables/${table}/links`),
  revokeLink: async (table, link) => void (await answer(`/api/tables/${table}/links/${link}`, { method: 'DELETE' })),
  explore: (body, signal) => post('/api/explore', body, signal),
  bots: () => call('/api/bots'),
  analyse: (body, signal) => post('/api/analyse', body, signal),
  matches: (filter) => call(`/api/matches${queryOf(filter)}`),
  match: (match) => call(`/api/matches/${match}`),
  notation: async (match) => (await answer(`/api/matches/${match}/notation`)).text(),
  userPage: (user) => call(`/api/users/${user}`),
};

function post<T>(path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const until = signal === undefined ? {} : { signal };
  if (body === undefined) return call(path, { method: 'POST', ...until });
  return call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...until,
  });
}

/** Names what is asked for, so that it can be sent again when the line broke before the answer came. */
async function postOnce<T>(path: string, body: object): Promise<T> {
  const named = { ...body, cmd: newCmd() };
  try {
    return await post(path, named);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return post(path, named);
  }
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await answer(path, init)).json()) as T;
}

async function answer(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (response.ok) return response;
  throw await refusalOf(response);
}

function queryOf(filter: MatchFilter): string {
  const given = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** A proxy in front of the server may answer in its place, and not in JSON. */
async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body = (await response.json()) as ErrorBody;
    return new Refusal(body.code, body.message);
  } catch {
    return new Refusal('internal', `the server answered with status ${response.status}`);
  }
}
