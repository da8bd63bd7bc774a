import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { TABLE } from './support/match.ts';
import { closePage, renderTable } from './support/page.tsx';
import { flushTasks } from './support/explorer.ts';

afterEach(() => {
  closePage();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('the notifications about a table close when the user sees its page', async () => {
  const displayed = [TABLE, 'another'];
  const getNotifications = vi.fn(({ tag }: { tag: string }) =>
    Promise.resolve(displayed.filter((one) => one === tag).map((one) => ({ close: () => displayed.splice(displayed.indexOf(one), 1) }))),
  );
  vi.stubGlobal('Notification', { permission: 'granted' });
  const serviceWorker = { getRegistration: () => Promise.resolve({ active: {}, showNotification: () => Promise.resolve(), getNotifications }) };
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  renderTable();
  await act(flushTasks);
  expect(displayed).toEqual([TABLE, 'another']);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await act(flushTasks);
  expect(displayed).toEqual(['another']);
});
