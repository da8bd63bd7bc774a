import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { UserView } from '../src/protocol/generated.ts';
import { chooseLanguage } from '../src/text/languages.ts';
import { Menu } from '../src/view/menu.tsx';
import { page } from '../src/view/router.ts';
import { HandoverDialog } from '../src/view/handover-dialog.tsx';
import { user } from './support/boards.ts';
import { ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, hook, isThere, one, openTable, show } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

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
  expect(document.querySelector('dialog')?.textContent).toContain('within 10 min.');
});

it('who only watches has no seat to go on with', () => {
  openTable(running(), null);
  expect(isThere('handover')).toBe(false);
});

describe('a handover', () => {
  const OTHER = user('Mallory');
  const preview = (you?: UserView) => vi.fn(() => Promise.resolve({ user: OTHER, ...(you === undefined ? {} : { you }) }));

  it.each([
    ['nobody', undefined],
    ['the same user', OTHER],
  ])('is taken at once where the browser is %s', async (_, you) => {
    const session = vi.fn((_secret?: string) => Promise.resolve({ user: OTHER }));
    const { client } = onlineClient({ session, previewHandover: preview(you) });
    await client.openHandover('s3cret');
    expect(client.handoverOffer.value).toBeNull();
    expect(session).toHaveBeenCalledExactlyOnceWith('s3cret');
    expect(client.user.value).toEqual(OTHER);
  });

  it('is a question to somebody else, in both languages, and closing it changes nothing', async () => {
    const session = vi.fn((_secret?: string) => Promise.resolve({ user: OTHER, previous_user: user('Ada') }));
    const { client } = onlineClient({ session, previewHandover: preview(user('Ada')) });
    show(client, <HandoverDialog />);
    await act(() => client.openHandover('s3cret'));
    expect(one('dialog').getAttribute('aria-label')).toBe('Continue here as Mallory?');
    await act(() => chooseLanguage('de'));
    expect(one('dialog').textContent).toContain('Du bist gerade Ada.');
    await act(() => chooseLanguage('en'));
    click(one('dialog .icon-button'));
    expect(document.querySelector('dialog')).toBeNull();
    expect(session).not.toHaveBeenCalled();
    expect(client.user.value?.name).toBe('Ada');

    await act(() => client.openHandover('s3cret'));
    click(hook('take-over-go'));
    await vi.waitFor(() => expect(client.user.value).toEqual(OTHER));
    expect(client.previousUser.value).toEqual(user('Ada'));
  });

  it('that is no good is said to be so, and leaves everybody who they are', async () => {
    const session = vi.fn((_secret?: string) => Promise.resolve({ user: OTHER }));
    const previewHandover = () => Promise.reject(new Refusal('bad_handover', 'this link was used'));
    const { client } = onlineClient({ session, previewHandover });
    await client.openHandover('s3cret');
    expect(noticesOf(client)).toEqual(['This link was used.']);
    expect(session).not.toHaveBeenCalled();
  });

  it('waits for a server that is away', async () => {
    vi.useFakeTimers();
    const previewHandover = vi.fn().mockRejectedValueOnce(new TypeError('no line')).mockResolvedValue({ user: OTHER, you: user('Ada') });
    const { client } = onlineClient({ previewHandover });
    await client.openHandover('s3cret');
    expect(client.handoverOffer.value).toBeNull();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.handoverOffer.value?.user).toEqual(OTHER);
    vi.useRealTimers();
  });

  it('is undone by going back', async () => {
    const goBack = vi.fn(() => Promise.resolve({ user: user('Ada') }));
    const session = () => Promise.resolve({ user: OTHER, previous_user: user('Ada') });
    const { client } = onlineClient({ session, restorePreviousUser: goBack });
    show(client, <Menu shown="lobby" />);
    expect(isThere('menu-back')).toBe(false);
    await act(() => client.start());
    expect(hook('menu-back').textContent).toBe('Back to Ada');
    click(hook('menu-back'));
    await vi.waitFor(() => expect(client.user.value).toEqual(user('Ada')));
    await vi.waitFor(() => expect(isThere('menu-back')).toBe(false));
  });
});
