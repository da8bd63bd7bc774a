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
import { click, closePage, byTestId, exists, findElement, renderTableAfterSnapshot, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

const running = (): ScriptedMatch => new ScriptedMatch('classic', { white: 'Ada', black: 'Cleo' }).startMatch('white');

afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

it('a player gets a link for another device, with its expiry', async () => {
  const createHandover = () => Promise.resolve({ secret: 's3cret', expires_at_ms: Date.now() + 600_000 });
  renderTableAfterSnapshot(running(), 'white', undefined, { createHandover });
  click(byTestId('handover'));
  await vi.waitFor(() => expect(exists('handover-link')).toBe(true));
  expect(byTestId<HTMLInputElement>('handover-link').value).toBe(`${location.origin}/t/${TABLE}#seat=s3cret`);
  expect(document.querySelector('dialog')?.textContent).toContain('within 10 min.');
});

it('a spectator gets no such link', () => {
  renderTableAfterSnapshot(running(), null);
  expect(exists('handover')).toBe(false);
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

  it('asks another user in both languages, and closing the question changes nothing', async () => {
    const session = vi.fn((_secret?: string) => Promise.resolve({ user: OTHER, previous_user: user('Ada') }));
    const { client } = onlineClient({ session, previewHandover: preview(user('Ada')) });
    renderPage(client, <HandoverDialog />);
    await act(() => client.openHandover('s3cret'));
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Continue here as Mallory?');
    await act(() => chooseLanguage('de'));
    expect(findElement('dialog').textContent).toContain('Du bist gerade Ada.');
    await act(() => chooseLanguage('en'));
    click(findElement('dialog .icon-button'));
    expect(document.querySelector('dialog')).toBeNull();
    expect(session).not.toHaveBeenCalled();
    expect(client.user.value?.name).toBe('Ada');

    await act(() => client.openHandover('s3cret'));
    click(byTestId('take-over-go'));
    await vi.waitFor(() => expect(client.user.value).toEqual(OTHER));
    expect(client.previousUser.value).toEqual(user('Ada'));
  });

  it('that is refused is reported, and the user stays', async () => {
    const session = vi.fn((_secret?: string) => Promise.resolve({ user: OTHER }));
    const previewHandover = () => Promise.reject(new Refusal('bad_handover', 'this link was used'));
    const { client } = onlineClient({ session, previewHandover });
    await client.openHandover('s3cret');
    expect(noticesOf(client)).toEqual(['This link was used or has expired.']);
    expect(session).not.toHaveBeenCalled();
  });

  it('waits for an unreachable server', async () => {
    vi.useFakeTimers();
    const previewHandover = vi.fn().mockRejectedValueOnce(new TypeError('no line')).mockResolvedValue({ user: OTHER, you: user('Ada') });
    const { client } = onlineClient({ previewHandover });
    await client.openHandover('s3cret');
    expect(client.handoverOffer.value).toBeNull();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.handoverOffer.value?.user).toEqual(OTHER);
    vi.useRealTimers();
  });

  it('is undone by returning to the previous user', async () => {
    const goBack = vi.fn(() => Promise.resolve({ user: user('Ada') }));
    const session = () => Promise.resolve({ user: OTHER, previous_user: user('Ada') });
    const { client } = onlineClient({ session, restorePreviousUser: goBack });
    renderPage(client, <Menu currentPage="lobby" />);
    expect(exists('menu-back')).toBe(false);
    await act(() => client.start());
    expect(byTestId('menu-back').textContent).toBe('Back to Ada');
    click(byTestId('menu-back'));
    await vi.waitFor(() => expect(client.user.value).toEqual(user('Ada')));
    await vi.waitFor(() => expect(exists('menu-back')).toBe(false));
  });
});
