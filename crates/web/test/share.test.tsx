import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { MatchView } from '../src/protocol/generated.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { takeShareSecret } from '../src/store/share-links.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, PRIVATE_SETTINGS, ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { byTestId, closePage, exists, pressKey, renderMatch } from './support/page.tsx';

/** Returns an ended match between `white` and Ben, as Ada reads it. */
function view(white: string, isPrivate = true): MatchView {
  const match = new ScriptedMatch('classic', { white, black: 'Ben' }).startMatch('white');
  match.view = { settings: isPrivate ? PRIVATE_SETTINGS : SETTINGS };
  match.move('e2e4');
  const outcome = { reason: 'resign' as const, places: { white: 1, black: 2 } };
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return { table: TABLE, match: MATCH, seq: match.seq, view: match.snapshot('white').view };
}

async function open(search: string, found: MatchView, api: Partial<Api> = {}): Promise<void> {
  await renderMatch(search, { match: () => Promise.resolve(found), ...api });
  await act(flushTasks);
}

async function press(testId: string): Promise<void> {
  byTestId(testId).click();
  await act(flushTasks);
}

const link = (testId: string): string => byTestId<HTMLInputElement>(testId).value;

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

describe('a share link', () => {
  it('leaves the address bar, and is passed on with the displayed ply', async () => {
    await open('#share=s3cret', view('Cat'));
    expect(location.hash).toBe('');
    expect(link('replay-link')).toBe(`${location.origin}/m/${MATCH}#share=s3cret`);
    pressKey('Home');
    expect(link('replay-link')).toBe(`${location.origin}/m/${MATCH}?ply=0#share=s3cret`);
    expect(exists('create-share')).toBe(false);
  });

  it('is sent with every request about its match, and no other', async () => {
    const requests: [string, string | null][] = [];
    vi.stubGlobal('fetch', (path: string, options?: RequestInit) => {
      requests.push([path, new Headers(options?.headers).get('share-secret')]);
      return Promise.resolve(new Response('{}'));
    });
    history.replaceState(null, '', `/m/${MATCH}?ply=1#share=s3cret`);
    expect(takeShareSecret(MATCH, location, history)).toBe(true);
    expect(location.search + location.hash).toBe('?ply=1');
    expect(takeShareSecret(MATCH, location, history)).toBe(false);
    await Promise.all([httpApi.match(MATCH), httpApi.notation(MATCH), httpApi.review(MATCH), httpApi.requestReview(MATCH)]);
    await httpApi.matchFile(MATCH, `/pictures/match/${MATCH}.gif`);
    expect(requests.map(([, secret]) => secret)).toEqual(Array(5).fill('s3cret'));
    requests.length = 0;
    await Promise.all([httpApi.match(TABLE), httpApi.bots(), httpApi.matches({})]);
    expect(requests.map(([, secret]) => secret)).toEqual([null, null, null]);
  });

  it('saves files of its match', async () => {
    const paths: string[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
    await open('#share=s3cret', view('Cat'), {
      matchFile: (_match, path) => {
        paths.push(path);
        return Promise.resolve(new Blob(['x']));
      },
    });
    await press('save-record');
    await press('save-film');
    expect(paths).toEqual([`/api/matches/${MATCH}/record`, `/pictures/match/${MATCH}.gif`]);
  });

  it('that was withdrawn says so', async () => {
    const refuse = (): Promise<MatchView> => Promise.reject(new Refusal('not_found', 'there is no such match'));
    await open('#share=s3cret', view('Cat'), { match: refuse });
    expect(byTestId('missing').textContent).toContain('This link no longer works');
  });
});

describe('a reader', () => {
  it('of a public match gets its plain link', async () => {
    await open('', view('Ada', false));
    expect(link('replay-link')).toBe(`${location.origin}/m/${MATCH}`);
    expect(exists('share')).toBe(false);
  });

  it('of a private match who did not play it gets no link that works for nobody', async () => {
    await open('', view('Cat'));
    expect(exists('replay-link')).toBe(false);
    expect(document.querySelector('.exports')?.textContent).toContain('One of its players can share a link');
  });

  it('without a link is told that the match may be private', async () => {
    await open('', view('Cat'), { match: () => Promise.reject(new Refusal('not_found', 'there is no such match')) });
    expect(byTestId('missing').textContent).toContain('There is no match at this address, or it is private.');
  });
});

describe('a player of a private match', () => {
  const created = { secret: 'mine', created_at_ms: 5, origin: 'http://192.168.1.7:8080' };

  it('shares it, and stops sharing it', async () => {
    const removed: string[] = [];
    await open('', view('Ada'), {
      share: () => Promise.resolve({}),
      createShare: () => Promise.resolve(created),
      removeShare: (match) => {
        removed.push(match);
        return Promise.resolve();
      },
    });
    expect(exists('replay-link')).toBe(false);
    expect(exists('remove-share')).toBe(false);
    await press('create-share');
    expect(link('share-link')).toBe(`http://192.168.1.7:8080/m/${MATCH}#share=mine`);
    expect(byTestId('share').textContent).toContain('Anyone with this link can replay the match.');
    pressKey('Home');
    expect(link('share-link')).toContain('?ply=0#share=mine');
    await press('remove-share');
    expect(removed).toEqual([MATCH]);
    expect(exists('create-share')).toBe(true);
    expect(byTestId('share-link').hidden).toBe(true);
  });

  it('keeps the focus when the pressed button is replaced', async () => {
    const api: Partial<Api> = { share: () => Promise.resolve({}), createShare: () => Promise.resolve(created), removeShare: () => Promise.resolve() };
    await open('', view('Ada'), api);
    byTestId('create-share').focus();
    await press('create-share');
    expect(document.activeElement).toBe(byTestId('copy-share'));
    byTestId('remove-share').focus();
    await press('remove-share');
    expect(document.activeElement).toBe(byTestId('create-share'));
    byTestId('create-share').blur();
    await press('create-share');
    expect(document.activeElement, 'the focus was elsewhere').toBe(document.body);
  });

  it('finds the link again in the browser that created it, and else may replace it', async () => {
    const api: Partial<Api> = { share: () => Promise.resolve({ created_at_ms: 5 }), createShare: () => Promise.resolve(created) };
    await open('', view('Ada'), api);
    expect(byTestId('share-link').hidden).toBe(true);
    expect(byTestId('create-share').textContent).toBe('New link');
    await press('create-share');
    closePage();
    await open('', view('Ada'), api);
    expect(link('share-link')).toBe(`http://192.168.1.7:8080/m/${MATCH}#share=mine`);
    closePage();
    // Another browser has replaced the link.
    await open('', view('Ada'), { ...api, share: () => Promise.resolve({ created_at_ms: 6 }) });
    expect(byTestId('share-link').hidden).toBe(true);
  });
});
