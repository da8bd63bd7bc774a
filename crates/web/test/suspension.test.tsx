import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Me, UserSuspensionView } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { text } from '../src/text/index.ts';
import { SuspensionBanner } from '../src/view/suspension-banner.tsx';
import { WarningDialog } from '../src/view/warning-dialog.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

afterEach(() => {
  closePage();
  vi.useRealTimers();
});

const UNTIL_MS = Date.UTC(2027, 4, 3, 10);
const SUSPENSION: UserSuspensionView = { reason: 'insults in the chat', since_ms: 0, until_ms: UNTIL_MS };
const SENTENCE = `You are suspended until ${text.moment(UNTIL_MS)}. Reason: insults in the chat`;
const REFUSAL = new Refusal('suspended', 'you are suspended until 2027-05-03 10:00 UTC: insults in the chat');

const meOf = (more: Partial<Me> = {}): Me => ({ user: user('Ada'), tables: [], ...more });

/** Renders the banner for Ada. */
async function renderBanner(me: Api['me']) {
  const online = onlineClient({ me });
  renderPage(online.client, <SuspensionBanner />);
  await act(flushTasks);
  return online;
}

it('a suspended user reads the end, the reason, and what is still possible', async () => {
  await renderBanner(() => Promise.resolve(meOf({ suspension: SUSPENSION })));
  expect(byTestId('suspended').textContent).toBe(`${SENTENCE}You can watch matches, but not play or chat.`);
});

it('a suspension without an end has no date', async () => {
  await renderBanner(() => Promise.resolve(meOf({ suspension: { reason: 'cheating', since_ms: 0 } })));
  expect(byTestId('suspended').textContent).toContain('You are suspended. Reason: cheating');
});

it('other users have no banner', async () => {
  await renderBanner(() => Promise.resolve(meOf()));
  expect(exists('suspended')).toBe(false);
});

it('a suspension appears when it begins, and disappears when it ends', async () => {
  const me = vi.fn(() => Promise.resolve(meOf()));
  const { socket, current } = await renderBanner(me);
  me.mockResolvedValue(meOf({ suspension: SUSPENSION }));
  vi.useFakeTimers();
  socket.lose(4002);
  await act(async () => void (await vi.advanceTimersByTimeAsync(400)));
  expect(exists('suspended')).toBe(true);
  expect(current(), 'the client connects again').not.toBe(socket);
  me.mockResolvedValue(meOf());
  current().open();
  current().lose(4002);
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
  expect(exists('suspended')).toBe(false);
  expect(me).toHaveBeenCalledTimes(3);
});

it('other losses of the connection request nothing', async () => {
  const me = vi.fn(() => Promise.resolve(meOf()));
  const { client, socket } = await renderBanner(me);
  socket.lose();
  client.onWelcome({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ada') });
  expect(me).toHaveBeenCalledOnce();
});

it('a refused action says why, and the banner appears', async () => {
  const me = vi.fn(() => Promise.resolve(meOf()));
  const { client } = await renderBanner(me);
  me.mockResolvedValue(meOf({ suspension: SUSPENSION }));
  client.report(REFUSAL);
  await act(flushTasks);
  expect(noticesOf(client)).toEqual([SENTENCE]);
  expect(exists('suspended')).toBe(true);
  client.report(REFUSAL);
  await act(flushTasks);
  expect(noticesOf(client), 'the same notice').toEqual([SENTENCE]);
  expect(me).toHaveBeenCalledTimes(2);
});

it('if the status is not known, a refused action has a general text, and the next connection asks again', async () => {
  const me = vi.fn(() => Promise.reject<Me>(new TypeError('fetch failed')));
  const { client, socket } = await renderBanner(me);
  client.report(REFUSAL);
  await act(flushTasks);
  expect(noticesOf(client)).toEqual(['You are suspended. You can watch, but not play or chat.']);
  me.mockResolvedValue(meOf({ suspension: SUSPENSION }));
  socket.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ada') });
  await act(flushTasks);
  expect(exists('suspended')).toBe(true);
});

it('a warning is shown until the user has acknowledged it', async () => {
  const warnings = [
    { number: 8, text: 'Stop it.', at_ms: 1 },
    { number: 7, text: 'Be polite.', at_ms: 0 },
  ];
  const acknowledgeWarning = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue(undefined);
  const { client } = onlineClient({ me: () => Promise.resolve(meOf({ warnings })), acknowledgeWarning });
  renderPage(client, <WarningDialog />);
  await act(flushTasks);
  expect(byTestId('warning').textContent).toBe('Stop it.');
  click(byTestId('acknowledge'));
  await act(flushTasks);
  expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
  expect(byTestId('warning').textContent).toBe('Stop it.');
  click(byTestId('acknowledge'));
  await act(flushTasks);
  expect(acknowledgeWarning).toHaveBeenLastCalledWith(8);
  expect(byTestId('warning').textContent).toBe('Be polite.');
  click(findElement('dialog .icon-button'));
  expect(exists('warning')).toBe(false);
  expect(acknowledgeWarning, 'closing does not acknowledge').toHaveBeenCalledTimes(2);
  closePage();
  renderPage(client, <WarningDialog />);
  expect(byTestId('warning').textContent, 'it is shown again').toBe('Be polite.');
});

it('an earlier answer does not replace a later one', async () => {
  const answers: ((me: Me) => void)[] = [];
  const { client } = await renderBanner(() => new Promise<Me>((resolve) => answers.push(resolve)));
  void client.status.refresh();
  answers[1]?.(meOf({ suspension: SUSPENSION }));
  await act(flushTasks);
  answers[0]?.(meOf());
  await act(flushTasks);
  expect(exists('suspended')).toBe(true);
});

it('an answer about the user of another tab is ignored', async () => {
  const { client } = await renderBanner(() => Promise.resolve(meOf({ user: user('Ben'), suspension: SUSPENSION })));
  expect(exists('suspended')).toBe(false);
  expect(client.status.isOperator.value).toBeNull();
});

it('another user is not shown the suspension, nor a late answer about it', async () => {
  let answer: (me: Me) => void = () => {};
  const { client } = await renderBanner(() => new Promise<Me>((resolve) => (answer = resolve)));
  const late = answer;
  act(() => {
    client.user.value = user('Ben');
  });
  late(meOf({ suspension: SUSPENSION }));
  await act(flushTasks);
  expect(exists('suspended')).toBe(false);
  answer(meOf({ user: user('Ben'), suspension: SUSPENSION, operator: true }));
  await act(flushTasks);
  expect(exists('suspended')).toBe(true);
  expect(client.status.isOperator.value).toBe(true);
  act(() => {
    client.user.value = null;
  });
  expect(exists('suspended')).toBe(false);
  expect(client.status.isOperator.value).toBe(false);
});
