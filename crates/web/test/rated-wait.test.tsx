import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Me, UserView } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { ratedWaitText } from '../src/text/rated-wait-text.ts';
import { NewTableDialog } from '../src/view/lobby/new-table-dialog.tsx';
import { RatedQuickJoin } from '../src/view/lobby/rated-quick-join.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const ADA: UserView = { ...user('Ada'), account: true };
const MINUTE_MS = 60_000;
const LEFT = 'You left rated matches early. You can play the next one in 12 min.';

const meOf = (left_ms: number | null): Me => ({ user: ADA, tables: [], ...(left_ms === null ? {} : { rated_wait: { until_ms: Date.now() + left_ms, leaves: 2 } }) });

/** Signs Ada in, who has to wait for this time. */
async function online(left_ms: number | null, api: Partial<Api> = {}) {
  const me = vi.fn(() => Promise.resolve(meOf(left_ms)));
  const { client } = onlineClient({ me, ...api });
  act(() => void (client.user.value = ADA));
  await act(flushTasks);
  return { client, me };
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  vi.useRealTimers();
});

it.each([
  [1, '1 min'],
  [12 * MINUTE_MS - 1, '12 min'],
  [90 * MINUTE_MS, '90 min'],
  [150 * MINUTE_MS, '3 h'],
  [24 * 60 * MINUTE_MS, '1 day'],
])('%i ms are a wait of %s', (ms, span) => expect(ratedWaitText(ms)).toContain(`in ${span}.`));

describe('a user who has left rated matches', () => {
  it('cannot look for a rated match, and sees for how long', async () => {
    const { client } = await online(12 * MINUTE_MS);
    renderPage(client, <RatedQuickJoin variant="dilkel" isBusy={false} />);
    expect(byTestId('rated-wait').textContent).toContain(LEFT);
    expect(byTestId('rated-5-5')).toHaveProperty('disabled', true);
  });

  it('can do so after the wait', async () => {
    const { client } = await online(12 * MINUTE_MS);
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date', 'setInterval', 'clearInterval'] });
    renderPage(client, <RatedQuickJoin variant="dilkel" isBusy={false} />);
    expect(exists('rated-wait')).toBe(true);
    act(() => void vi.advanceTimersByTime(12 * MINUTE_MS + 10_000));
    expect([exists('rated-wait'), byTestId<HTMLButtonElement>('rated-5-5').disabled]).toEqual([false, false]);
  });

  it('learns of a wait that has begun since the last visit of the first page', async () => {
    const { client, me } = await online(null);
    me.mockResolvedValue(meOf(12 * MINUTE_MS));
    renderPage(client, <RatedQuickJoin variant="dilkel" isBusy={false} />);
    expect(exists('rated-wait')).toBe(false);
    await act(flushTasks);
    expect(byTestId('rated-wait').textContent).toContain(LEFT);
  });

  it('sees why a new table with an own seat cannot be rated', async () => {
    const { client } = await online(12 * MINUTE_MS);
    renderPage(client, <NewTableDialog onClose={() => undefined} />);
    click(byTestId('choose-clock-5-5'));
    expect([byTestId('rated-hint').dataset['obstacle'], byTestId('rated-hint').textContent]).toEqual(['wait', LEFT]);
    expect(byTestId('choose-rated-rated')).toHaveProperty('disabled', true);
    click(byTestId('choose-seat-none'));
    expect(byTestId('choose-rated-rated')).toHaveProperty('disabled', false);
  });

  it('sees the time left after a refusal', async () => {
    const { client, me } = await online(null);
    me.mockResolvedValue(meOf(12 * MINUTE_MS));
    act(() => client.report(new Refusal('rated_wait', 'wait 12 minutes')));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual([LEFT]);
  });

  it('sees the reason without the time if the time is not known', async () => {
    const { client, me } = await online(null);
    me.mockRejectedValue(new TypeError('fetch failed'));
    act(() => client.report(new Refusal('rated_wait', 'wait 12 minutes')));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual(['You have left rated matches, so you have to wait a while before the next one.']);
  });
});
