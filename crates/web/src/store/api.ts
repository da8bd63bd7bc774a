import type {
  CreateTable,
  ErrorBody,
  LinkCreated,
  Me,
  NewInvite,
  QuickJoin,
  QuickJoined,
  Session,
  TableCreated,
  TableId,
} from '../protocol/generated.ts';
import { Refusal } from '../connection/outbox.ts';

/** The HTTP routes under `/api`. Each rejects with a `Refusal` if the server refuses, a `TypeError` if it is not there. */
export interface Api {
  /** Becomes somebody: whom a handover names, else who the cookie names, else a new guest. */
  session(handover?: string): Promise<Session>;
  createHandover(): Promise<LinkCreated>;
  me(): Promise<Me>;
  createTable(body: CreateTable): Promise<TableCreated>;
  quickJoin(body: QuickJoin): Promise<QuickJoined>;
  createInvite(table: TableId, body: NewInvite): Promise<LinkCreated>;
  createWatchLink(table: TableId): Promise<LinkCreated>;
}

/** The routes of the server this page came from. */
export const httpApi: Api = {
  session: (handover) => post('/api/session', handover === undefined ? undefined : { handover }),
  createHandover: () => post('/api/handovers'),
  me: () => call('/api/me'),
  createTable: (body) => post('/api/tables', body),
  quickJoin: (body) => post('/api/quick-join', body),
  createInvite: (table, body) => post(`/api/tables/${table}/invites`, body),
  createWatchLink: (table) => post(`/api/tables/${table}/watch-links`),
};

function post<T>(path: string, body?: object): Promise<T> {
  if (body === undefined) return call(path, { method: 'POST' });
  return call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  if (response.ok) return (await response.json()) as T;
  throw await refusalOf(response);
}

/** What stands in front of a server may answer in its stead, and not in JSON. */
async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body = (await response.json()) as ErrorBody;
    return new Refusal(body.code, body.message);
  } catch {
    return new Refusal('internal', `the server answered with status ${response.status}`);
  }
}
