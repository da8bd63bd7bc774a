import type { ErrorBody } from '../protocol/generated.ts';
import { newCommandId, Refusal } from '../connection/outbox.ts';

/** The methods of requests with a body. */
type Method = 'POST' | 'PATCH' | 'PUT';

interface Options {
  readonly signal?: AbortSignal;
}

/** Posts a body, or nothing, and returns the answer. The signal cancels the request. */
export function post<T>(path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const options = signal === undefined ? {} : { signal };
  if (body === undefined) return requestJson(path, { method: 'POST', ...options });
  return sendJson('POST', path, body, options);
}

/** Sends a body and returns the answer. */
export async function sendJson<T>(method: Method, path: string, body: object, options: Options = {}): Promise<T> {
  return (await (await requestWithBody(method, path, body, options)).json()) as T;
}

/** Sends a body. Rejects with a `Refusal` if the server refuses the request. */
export function requestWithBody(method: Method, path: string, body: object, options: Options = {}): Promise<Response> {
  return request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...options });
}

/**
 * Posts a body with an id. If no answer arrives, it posts the same body once more; the server acts
 * on an id only once.
 */
export async function postOnce<T>(path: string, body: object): Promise<T> {
  const bodyWithId = { ...body, cmd: newCommandId() };
  try {
    return await post(path, bodyWithId);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return post(path, bodyWithId);
  }
}

/** Requests a path and returns the answer. */
export async function requestJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
}

/** Requests a path. Rejects with a `Refusal` if the server refuses the request. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (response.ok) return response;
  throw await readRefusal(response);
}

/**
 * Reads the refusal from an error response. The response may come from a proxy instead of the
 * server, and then is not JSON.
 */
async function readRefusal(response: Response): Promise<Refusal> {
  try {
    const body = (await response.json()) as ErrorBody;
    return new Refusal(body.code, body.message, retryAfterOf(response));
  } catch {
    return new Refusal('internal', `the server answered with status ${response.status}`);
  }
}

/** Returns the wait in seconds that a response requests (RFC 9110, section 10.2.3), if it does. */
function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}
