import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { SessionView } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { Menu } from '../src/view/menu.tsx';
import { Sessions } from '../src/view/settings/sessions.tsx';
import { SignedOutDialog } from '../src/view/signed-out-dialog.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

afterEach(closePage);

const HOUR_MS = 3_600_000;
const here: SessionView = { id: 'a', client: 'browser', name: 'Firefox, Linux', created_at_ms: 0, seen_at_ms: Date.now(), is_current: true };
const phone: SessionView = { id: 'b', client: 'browser', name: 'Safari, iPhone', created_at_ms: 0, seen_at_ms: Date.now() - 2.5 * HOUR_MS, is_current: false };
const program: SessionView = { id: 'c', client: 'program', created_at_ms: 0, is_current: false };

/** Renders the list of these sessions. */
async function renderSessions(sessions: SessionView[], api: Partial<Api> = {}, hasKey = false) {
  const online = onlineClient({ sessions: () => Promise.resolve({ sessions }), ...api });
  renderPage(
    online.client,
    <>
      <Menu currentPage="settings" />
      <Sessions hasKey={hasKey} />
      <SignedOutDialog />
    </>,
  );
  await act(flushTasks);
  return online;
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-testid="session"]')];
const buttonOf = (row: HTMLElement | undefined): HTMLElement => {
  const button = row?.querySelector('button');
  if (button === null || button === undefined) throw new Error('a session has a button');
  return button;
};

it('the list names browsers and programs, and marks this browser', async () => {
  await renderSessions([here, phone, program]);
  const [first, second, third] = rows().map(({ textContent }) => textContent);
  expect(first).toContain('Firefox, LinuxThis browserSigned in on');
  expect(second).toContain('Safari, iPhoneLast used: 2 hours ago · Signed in on');
  expect(third).toContain('ProgramSigned in on');
  expect(rows().map((row) => buttonOf(row).getAttribute('aria-label'))).toEqual(['Sign out: This browser', 'Sign out: Safari, iPhone', 'Sign out: Program']);
});

it('another browser is signed out at once, and the focus stays in the section', async () => {
  const endSession = vi.fn(() => Promise.resolve());
  await renderSessions([here, phone, program], { endSession });
  click(buttonOf(rows()[1]));
  await act(flushTasks);
  expect(endSession).toHaveBeenCalledExactlyOnceWith('b');
  expect(rows().map(({ textContent }) => textContent?.slice(0, 7))).toEqual(['Firefox', 'Program']);
  expect(byTestId('sessions-result').textContent).toBe('Signed out: Safari, iPhone.');
  expect(document.activeElement?.id).toBe('sessions-title');
});

it('signing out everywhere else keeps this browser and says how many sessions have ended', async () => {
  await renderSessions([here, phone, program], { endOtherSessions: () => Promise.resolve({ ended: 2 }) });
  click(byTestId('end-others'));
  await act(flushTasks);
  expect(rows()).toHaveLength(1);
  expect(byTestId('sessions-result').textContent).toBe('2 other sessions were signed out.');
  expect(exists('end-others')).toBe(false);
});

it('a guest is asked before signing out of the only browser', async () => {
  const endSession = vi.fn(() => Promise.resolve());
  const { client, current, socket } = await renderSessions([here, program], { endSession });
  click(buttonOf(rows()[0]));
  expect(endSession).not.toHaveBeenCalled();
  expect(findElement('dialog').textContent).toContain('you lose Ada for good');
  click(byTestId('sign-out-confirm'));
  await act(flushTasks);
  expect(endSession).toHaveBeenCalledExactlyOnceWith('a');
  expect(client.signedOutUser.value).toEqual(user('Ada'));
  expect(findElement('dialog').textContent).toContain('no longer signed in as Ada');
  expect(rows()).toEqual([]);
  expect(current()).toBe(socket);
});

it('a guest with another browser learns the way back', async () => {
  await renderSessions([here, phone]);
  click(buttonOf(rows()[0]));
  expect(findElement('dialog').textContent).toContain('choose “Continue on another device”');
});

it('a guest with a recovery key learns that it is the way back', async () => {
  await renderSessions([here], {}, true);
  click(buttonOf(rows()[0]));
  expect(findElement('dialog').textContent).toContain('sign in with your recovery key');
});

it('a user with an account signs out without a question', async () => {
  const endSession = vi.fn(() => Promise.resolve());
  const { client } = await renderSessions([here], { endSession });
  act(() => {
    client.user.value = { ...user('Ada'), account: true };
  });
  click(buttonOf(rows()[0]));
  await act(flushTasks);
  expect(endSession).toHaveBeenCalledExactlyOnceWith('a');
});

it('after a closed dialog the menu has the choice to start again', async () => {
  const session = vi.fn(() => Promise.resolve({ user: user('Fay') }));
  const { client } = await renderSessions([here, phone], { endSession: () => Promise.resolve(), session });
  click(buttonOf(rows()[0]));
  click(byTestId('sign-out-confirm'));
  await act(flushTasks);
  click(findElement('dialog .icon-button'));
  expect(document.querySelector('dialog')).toBeNull();
  expect(exists('menu-handover')).toBe(false);
  click(byTestId('menu-start-again'));
  await vi.waitFor(() => expect(client.user.value).toEqual(user('Fay')));
  await act(flushTasks);
  expect(exists('menu-start-again')).toBe(false);
});

it('an ended session that is gone already is reported, and the list stays', async () => {
  const { client } = await renderSessions([here, phone], { endSession: () => Promise.reject(new Refusal('not_found', 'you have no such session')) });
  click(buttonOf(rows()[1]));
  await act(flushTasks);
  expect(noticesOf(client)).toHaveLength(1);
  expect(rows()).toHaveLength(2);
});

it('a list that cannot be loaded is loaded again on request', async () => {
  const sessions = vi.fn().mockRejectedValueOnce(new TypeError('no line')).mockResolvedValue({ sessions: [here] });
  await renderSessions([], { sessions });
  expect(findElement('.load-error').textContent).toContain('The server cannot be reached.');
  click(findElement('.load-error button'));
  await act(flushTasks);
  expect(rows()).toHaveLength(1);
  expect(document.querySelector('.load-error')).toBeNull();
});
