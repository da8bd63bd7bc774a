import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { VacationStatus } from '../src/protocol/generated.ts';
import type { VacationApi } from '../src/store/vacation-api.ts';
import { text } from '../src/text/index.ts';
import { VacationCard } from '../src/view/games/vacation-card.tsx';
import { flushTasks } from './support/explorer.ts';
import { ScriptedMatch } from './support/match.ts';
import { byTestId, click, closePage, exists, fillField, renderPage, renderTableAfterSnapshot } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const UNTIL_MS = Date.UTC(2026, 11, 5, 12);

async function show(status: VacationStatus): Promise<number[]> {
  const begun: number[] = [];
  const api: VacationApi = {
    status: () => Promise.resolve(status),
    begin: (days) => {
      begun.push(days);
      return Promise.resolve({ ...status, days_left: status.days_left - days, current: { since_ms: 0, until_ms: UNTIL_MS } });
    },
    end: () => Promise.resolve({ ...status, days_left: status.days_left - 1 }),
  };
  renderPage(onlineClient().client, <VacationCard api={api} />);
  await act(flushTasks);
  return begun;
}

async function press(name: string): Promise<void> {
  click(byTestId(name));
  await act(flushTasks);
}

afterEach(closePage);

describe('the vacation of a user', () => {
  it('begins for some of the days that are left, and ends', async () => {
    const begun = await show({ days_per_year: 30, days_left: 5 });
    expect(byTestId('vacation').textContent).toContain(text.vacation.left(5));
    fillField('vacation-days', '3');
    await press('vacation-start');
    expect(begun).toEqual([3]);
    expect(byTestId('vacation-on').textContent).toBe(text.vacation.on(UNTIL_MS));
    await press('vacation-end');
    expect(byTestId('vacation').textContent).toContain(text.vacation.left(4));
  });

  it('has no more days than are left', async () => {
    const begun = await show({ days_per_year: 30, days_left: 2 });
    await press('vacation-start');
    expect(begun).toEqual([2]);
    closePage();
    await show({ days_per_year: 30, days_left: 0 });
    expect(exists('vacation-start')).toBe(false);
    expect(byTestId('vacation').textContent).toContain(text.vacation.noneLeft);
  });

  it('is not offered by a server without vacations', async () => {
    await show({ days_per_year: 0, days_left: 0 });
    expect(exists('vacation')).toBe(false);
  });

  it('is shown at the plate of the player', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.step({ event: { type: 'vacation_started', color: 'black', since_ms: 0, until_ms: UNTIL_MS }, state: { vacations: [{ color: 'black', until_ms: UNTIL_MS }] } });
    const socket = renderTableAfterSnapshot(match, 'white');
    const notes = (): string => document.querySelector('.board-frame')?.textContent ?? '';
    expect(notes()).toContain(text.vacation.until(UNTIL_MS));
    act(() => socket.receive(match.step({ event: { type: 'vacation_ended', color: 'black' }, state: { vacations: null } })));
    expect(notes()).not.toContain(text.vacation.until(UNTIL_MS));
  });
});
