import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Api } from '../src/store/api.ts';
import type { Client } from '../src/store/client.ts';
import { NameDialog, RenameButton } from '../src/view/name-form.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

beforeEach(() => localStorage.clear());
afterEach(closePage);

const PUBLIC_TABLE = { variant: 'dilkel', privacy: 'public', seat: 'red' } as const;

/** Renders the question for a client that has not answered it. */
function newClient(api: Partial<Api>): Client {
  const { client } = onlineClient(api, { hasName: false });
  renderPage(client, <NameDialog />);
  return client;
}

function submit(): void {
  submitField('name-input', byTestId<HTMLInputElement>('name-input').value);
}

test('the first seat among people waits for a name, and later seats do not', async () => {
  const quickJoin = vi.fn(() => Promise.resolve({ table: 't1', match: 'm1', seat: 'red' as const }));
  const rename = vi.fn((name: string) => Promise.resolve({ ...user('Ada'), name }));
  const client = newClient({ quickJoin, rename });
  let joined: Promise<unknown> = Promise.resolve();
  await act(async () => {
    joined = client.quickJoin({ variant: 'dilkel' });
    await flushTasks();
  });
  expect(quickJoin).not.toHaveBeenCalled();
  fillField('name-input', '  Zoë   der Große ');
  expect(byTestId('name-submit').textContent).toBe('Play as Zoë der Große');
  submit();
  await act(async () => void (await joined));
  expect(rename).toHaveBeenCalledWith('Zoë der Große');
  expect(client.user.value?.name).toBe('Zoë der Große');
  expect(exists('name-input')).toBe(false);
  await act(async () => void (await client.quickJoin({ variant: 'dilkel' })));
  expect(quickJoin).toHaveBeenCalledTimes(2);
  expect(exists('name-input')).toBe(false);
});

test('one press keeps the generated name, without a request', async () => {
  const rename = vi.fn();
  const createTable = vi.fn(() => Promise.resolve({ table: 't1', match: 'm1' }));
  const client = newClient({ rename, createTable });
  let created: Promise<unknown> = Promise.resolve();
  await act(async () => {
    created = client.createTable(PUBLIC_TABLE);
    await flushTasks();
  });
  expect(byTestId('name-submit').textContent).toBe('Play as Ada');
  submit();
  await act(async () => void (await created));
  expect(rename).not.toHaveBeenCalled();
  expect(createTable).toHaveBeenCalledTimes(1);
});

test('closing the question takes no seat and reports no error', async () => {
  const createTable = vi.fn();
  const client = newClient({ createTable });
  let created: Promise<unknown> = Promise.resolve();
  await act(async () => {
    created = client.createTable(PUBLIC_TABLE).catch((error: unknown) => client.report(error));
    await flushTasks();
  });
  click(findElement('.dialog .icon-button'));
  await act(async () => void (await created));
  expect(createTable).not.toHaveBeenCalled();
  expect(client.notices.value).toEqual([]);
  expect(exists('name-input')).toBe(false);
});

test('a match against bots or on one device asks for no name', async () => {
  const createTable = vi.fn(() => Promise.resolve({ table: 't1', match: 'm1' }));
  const client = newClient({ createTable });
  const bot = { kind: 'built_in', level: 3 } as const;
  await act(async () => void (await client.createTable({ variant: 'classic', privacy: 'private', seat: 'white', bots: [{ seat: 'black', bot }] })));
  await act(async () => void (await client.createTable({ variant: 'dilkel', privacy: 'private', hotseat: true })));
  expect(createTable).toHaveBeenCalledTimes(2);
  expect(exists('name-input')).toBe(false);
});

test('a name that the server refuses stays in the field with the reason', async () => {
  const rename = vi.fn(() => Promise.reject(new Refusal('bad_setting', 'reserved')));
  const { client } = onlineClient({ rename });
  renderPage(client, <RenameButton />);
  click(byTestId('rename'));
  submitField('name-input', 'Server');
  await act(flushTasks);
  expect(byTestId('wrong-name').textContent).toBe('This name is not available. Try another one.');
  expect(byTestId<HTMLInputElement>('name-input').value).toBe('Server');
  expect(client.user.value?.name).toBe('Ada');
});
