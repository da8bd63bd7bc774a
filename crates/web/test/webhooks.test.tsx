import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Webhook } from '../src/protocol/generated.ts';
import type { NotificationsApi } from '../src/store/notifications-api.ts';
import { WebhooksSection } from '../src/view/settings/notifications/webhooks-section.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, click, closePage, exists, fillField, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const ADA = { ...user('Ada'), account: true };
const DISCORD: Webhook = { id: 'w1', url: 'https://discord.com/api/webhooks/1/secret', events: ['opened', 'ended'], private: false, created_at_ms: 0 };

afterEach(closePage);

async function render(webhooks: Webhook[], more: Partial<NotificationsApi>): Promise<void> {
  const api = { webhooks: () => Promise.resolve({ webhooks }), ...more } as NotificationsApi;
  renderPage(onlineClient().client, <WebhooksSection user={ADA} api={api} />);
  await act(flushTasks);
}

async function press(name: string): Promise<void> {
  click(byTestId(name));
  await act(flushTasks);
}

const result = (): string => byTestId('webhooks-result').textContent;

describe('webhooks', () => {
  it('are created, and their secret is shown once', async () => {
    const createWebhook = vi.fn<NotificationsApi['createWebhook']>((webhook) => Promise.resolve({ webhook: { ...DISCORD, ...webhook }, secret: 'k9-secret' }));
    await render([], { createWebhook });
    await press('new-webhook');
    click(byTestId('webhook-started'));
    click(byTestId('webhook-private'));
    submitField('webhook-url-input', ` ${DISCORD.url} `);
    await act(flushTasks);
    expect(createWebhook).toHaveBeenCalledExactlyOnceWith({ url: DISCORD.url, events: ['opened', 'ended'], private: true });
    expect(byTestId<HTMLInputElement>('webhook-secret').value).toBe('k9-secret');
    expect(byTestId('webhook').textContent).toContain('discord.comPrivate tables');
    expect(byTestId('webhook').textContent, 'the rest of an address is a secret').not.toContain('/webhooks/');
    expect(byTestId('webhook').textContent).toContain('a table opens and a match ends · Nothing sent yet');
  });

  it('need an event and a public address', async () => {
    await render([], { createWebhook: () => Promise.reject(new Refusal('bad_setting', 'url is private')) });
    await press('new-webhook');
    for (const event of ['opened', 'started', 'ended']) click(byTestId(`webhook-${event}`));
    expect(byTestId<HTMLButtonElement>('webhook-submit').disabled).toBe(true);
    expect(byTestId('webhook-form').textContent).toContain('Choose at least one event.');
    click(byTestId('webhook-ended'));
    submitField('webhook-url-input', 'https://127.0.0.1/');
    await act(flushTasks);
    expect(byTestId('wrong-webhook-url').textContent).toBe('Enter a public address that begins with https://.');
    expect(exists('webhook')).toBe(false);
  });

  it('are changed, with the dialog filled in', async () => {
    const changeWebhook = vi.fn<NotificationsApi['changeWebhook']>((id, webhook) => Promise.resolve({ ...DISCORD, ...webhook, id }));
    await render([DISCORD], { changeWebhook });
    await press('change-webhook');
    expect(byTestId<HTMLInputElement>('webhook-url-input').value).toBe(DISCORD.url);
    expect(byTestId<HTMLInputElement>('webhook-started').checked).toBe(false);
    fillField('webhook-url-input', 'https://chat.example/x');
    await press('webhook-submit');
    expect(changeWebhook).toHaveBeenCalledExactlyOnceWith('w1', { url: 'https://chat.example/x', events: ['opened', 'ended'], private: false });
    expect(exists('webhook-form')).toBe(false);
    expect(byTestId('webhook').textContent).toContain('chat.example');
    expect(result()).toBe('The webhook was saved.');
  });

  it.each([
    [{ status: 204 }, 'The test message was received.'],
    [{ status: 404 }, 'The test message was refused with status 404.'],
    [{ error: 'timed out' }, 'The test message could not be sent: timed out'],
  ])('are tested: %j', async (answer, words) => {
    await render([DISCORD], { testWebhook: () => Promise.resolve(answer) });
    await press('test-webhook');
    expect(result()).toBe(words);
  });

  it('that were turned off show the reason and can be turned on again', async () => {
    const off = { ...DISCORD, off: { at_ms: 0, reason: 'status 404' } };
    const changeWebhook = vi.fn<NotificationsApi['changeWebhook']>(() => Promise.resolve(DISCORD));
    await render([off], { changeWebhook });
    expect(byTestId('webhook-off').textContent).toMatch(/^Turned off on .*1970: status 404$/);
    expect(exists('test-webhook')).toBe(false);
    await press('turn-on-webhook');
    expect(changeWebhook).toHaveBeenCalledExactlyOnceWith('w1', { url: DISCORD.url, events: DISCORD.events, private: false });
    expect(exists('webhook-off')).toBe(false);
    expect(result()).toBe('The webhook is on again.');
  });

  it('are removed', async () => {
    const removeWebhook = vi.fn<NotificationsApi['removeWebhook']>(() => Promise.resolve());
    await render([DISCORD], { removeWebhook });
    await press('remove-webhook');
    expect(removeWebhook).toHaveBeenCalledExactlyOnceWith('w1');
    expect(exists('webhook')).toBe(false);
    expect(result()).toBe('Removed: discord.com.');
    expect(document.activeElement?.id).toBe('webhooks-title');
  });
});
