import { afterEach, expect, it, vi } from 'vitest';
import { page } from '../src/view/router.ts';
import { ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, hook, isThere, openTable } from './support/page.tsx';

const running = (): ScriptedMatch => new ScriptedMatch('classic', { white: 'Ada', black: 'Cleo' }).begin('white');

afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

it('who sits gets a link for another device, and is told how long it is good', async () => {
  const createHandover = () => Promise.resolve({ secret: 's3cret', expires_at_ms: Date.now() + 600_000 });
  openTable(running(), 'white', undefined, { createHandover });
  click(hook('handover'));
  await vi.waitFor(() => expect(isThere('handover-link')).toBe(true));
  expect(hook<HTMLInputElement>('handover-link').value).toBe(`${location.origin}/t/${TABLE}#seat=s3cret`);
  expect(document.querySelector('dialog')?.textContent).toContain('for 10 min.');
});

it('who only watches has no seat to go on with', () => {
  openTable(running(), null);
  expect(isThere('handover')).toBe(false);
});
