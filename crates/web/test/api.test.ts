import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { httpApi } from '../src/store/api.ts';

/** The answers of the server in order; an error is a lost connection. */
function serve(...answers: readonly (Response | Error)[]): { path: string; body: Record<string, unknown> }[] {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const left = [...answers];
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    asked.push({ path, body: JSON.parse(init.body as string) as Record<string, unknown> });
    const answer = left.shift();
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error('nothing is left'));
  });
  return asked;
}

const MADE = { table: 't', match: 'm' };
const WISH = { variant: 'classic', privacy: 'public' } as const;
const broken = (): Error => new TypeError('Failed to fetch');
const made = (): Response => new Response(JSON.stringify(MADE), { status: 201 });

describe('requests for a table', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('are repeated once, unchanged, after a lost connection', async () => {
    const asked = serve(broken(), made());
    expect(await httpApi.createTable(WISH)).toEqual(MADE);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
    expect(asked[0]?.path).toBe('/api/tables');
    expect(asked[0]?.body).toMatchObject(WISH);
    expect(asked[0]?.body['cmd']).toMatch(/^[0-9a-f]{24}$/u);
  });

  it('are repeated after an incomplete answer', async () => {
    const half = new Response('{"table": "t', { status: 201 });
    const asked = serve(half, made());
    expect(await httpApi.quickJoin({ variant: 'classic' })).toEqual(MADE);
    expect(asked.map(({ body }) => body['cmd'])).toEqual([asked[0]?.body['cmd'], asked[0]?.body['cmd']]);
  });

  it('have different ids, and fail after two lost connections', async () => {
    const asked = serve(made(), broken(), broken());
    await httpApi.createTable(WISH);
    await expect(httpApi.createTable(WISH)).rejects.toBeInstanceOf(TypeError);
    expect(asked).toHaveLength(3);
    expect(asked[0]?.body['cmd']).not.toBe(asked[1]?.body['cmd']);
  });

  it('are not repeated after a refusal', async () => {
    const refused = new Response(JSON.stringify({ code: 'rate_limited', message: 'too many' }), { status: 429 });
    const asked = serve(refused);
    await expect(httpApi.createTable(WISH)).rejects.toBeInstanceOf(Refusal);
    expect(asked).toHaveLength(1);
  });
});
