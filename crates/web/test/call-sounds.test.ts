import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SoundEvent } from '../src/store/sound-events.ts';
import type { BidChannel } from '../src/view/table/call-bids.ts';
import { CallSounds } from '../src/view/table/call-sounds.ts';
import type { SoundPlayer } from '../src/view/table/sounds.ts';

/** The locks of a browser. Only shared locks and requests that do not wait are supported. */
class FakeLocks {
  readonly #held: { name: string; mode: LockMode }[] = [];

  async request<T>(name: string, options: LockOptions, callback: (lock: Lock | null) => T): Promise<Awaited<T>> {
    const lock = { name, mode: options.mode ?? 'exclusive' };
    await Promise.resolve();
    const isFree = this.#held.every((other) => other.name !== name || (other.mode === 'shared' && lock.mode === 'shared'));
    if (!isFree) return await callback(null);
    this.#held.push(lock);
    try {
      return await callback(lock);
    } finally {
      this.#held.splice(this.#held.indexOf(lock), 1);
    }
  }

  query(): Promise<LockManagerSnapshot> {
    return Promise.resolve({ held: this.#held.map((lock) => ({ ...lock })), pending: [] });
  }
}

/** A channel between tabs. Messages arrive in later tasks. */
class FakeChannels {
  readonly #listeners: ((event: MessageEvent) => void)[] = [];

  readonly open = (): BidChannel => {
    const own: ((event: MessageEvent) => void)[] = [];
    return {
      addEventListener: (_type: string, listener: (event: MessageEvent) => void) => {
        own.push(listener);
        this.#listeners.push(listener);
      },
      postMessage: (data: unknown) => {
        for (const listener of this.#listeners) if (!own.includes(listener)) setTimeout(() => listener({ data } as MessageEvent), 5);
      },
      close: () => {
        for (const listener of own) this.#listeners.splice(this.#listeners.indexOf(listener), 1);
      },
    } as BidChannel;
  };
}

/** Opens a tab and records the sounds that it plays. */
function openTab(locks: FakeLocks | null, isHidden: boolean, isEnabled = true, openChannel: () => BidChannel | null = () => null) {
  const played: SoundEvent[] = [];
  const player = { isEnabled, play: (events: readonly SoundEvent[]) => void played.push(...events) };
  const sounds = new CallSounds(player as unknown as SoundPlayer, locks as unknown as LockManager, openChannel);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  sounds.updateVisibility();
  hidden.mockRestore();
  /** Delivers a call to this tab while the document is hidden or visible like the tab. */
  const call = async (key: string): Promise<void> => {
    const seen = vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
    const done = sounds.play(key, ['own_turn']);
    seen.mockRestore();
    await done;
  };
  return { played, call, sounds };
}

afterEach(() => vi.restoreAllMocks());

describe('the sound of a call', () => {
  it.each(['hidden', 'visible'])('is played by the visible tab if the %s one is called first', async (first) => {
    const locks = new FakeLocks();
    const [hidden, visible] = [openTab(locks, true), openTab(locks, false)];
    await Promise.resolve();
    const [one, other] = first === 'hidden' ? [hidden, visible] : [visible, hidden];
    await one.call('move m 4');
    await other.call('move m 4');
    expect([hidden.played, visible.played]).toEqual([[], ['own_turn']]);
  });

  it.each([true, false])('is played by one of several tabs at each call, hidden or not: %s', async (isHidden) => {
    const locks = new FakeLocks();
    const tabs = [openTab(locks, isHidden), openTab(locks, isHidden), openTab(locks, isHidden)];
    await Promise.all(tabs.map((tab) => tab.call('move m 4')));
    expect(tabs.flatMap((tab) => tab.played)).toEqual(['own_turn']);
    await Promise.all(tabs.map((tab) => tab.call('move m 8')));
    expect(tabs.flatMap((tab) => tab.played)).toEqual(['own_turn', 'own_turn']);
  });

  it('is played by a hidden tab after the visible one has closed, or if that one may make no sound', async () => {
    const locks = new FakeLocks();
    const [hidden, visible, silent] = [openTab(locks, true), openTab(locks, false), openTab(locks, false, false)];
    await Promise.resolve();
    visible.sounds.close();
    await new Promise((resolve) => setTimeout(resolve));
    await silent.call('move m 4');
    await hidden.call('move m 4');
    expect([hidden.played, silent.played]).toEqual([['own_turn'], []]);
  });

  it('is played by every tab where the browser has neither locks nor channels', async () => {
    const tabs = [openTab(null, false), openTab(null, true)];
    await Promise.all(tabs.map((tab) => tab.call('move m 4')));
    expect(tabs.map((tab) => tab.played)).toEqual([['own_turn'], ['own_turn']]);
  });
});

describe('the sound of a call on pages without locks', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Lets tabs receive calls one after another, with a pause in between. */
  async function callAll(tabs: readonly ReturnType<typeof openTab>[], keys: readonly string[], pause_ms: number): Promise<void> {
    const calls = tabs.flatMap((tab, index) =>
      keys.map(async (key) => {
        await new Promise((resolve) => setTimeout(resolve, index * pause_ms));
        await tab.call(key);
      }),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(calls);
  }

  it.each([0, 60, 400])('is played by one of several tabs at each call, %i ms after each other', async (pause_ms) => {
    const channels = new FakeChannels();
    const tabs = [false, false, true].map((isHidden) => openTab(null, isHidden, true, channels.open));
    await callAll(tabs, ['move m 4'], pause_ms);
    expect(tabs.flatMap((tab) => tab.played)).toEqual(['own_turn']);
    await callAll(tabs.toReversed(), ['move m 8'], pause_ms);
    expect(tabs.flatMap((tab) => tab.played)).toEqual(['own_turn', 'own_turn']);
  });

  it.each(['hidden', 'visible'])('is played by the visible tab if the %s one is called first', async (first) => {
    const channels = new FakeChannels();
    const [hidden, visible] = [openTab(null, true, true, channels.open), openTab(null, false, true, channels.open)];
    const keys = ['move m 4', 'move m 8', 'move m 12', 'move m 16', 'move m 20'];
    await callAll(first === 'hidden' ? [hidden, visible] : [visible, hidden], keys, 20);
    expect([hidden.played.length, visible.played.length]).toEqual([0, 5]);
  });

  it('is played by a hidden tab after the visible one has closed, or if that one may make no sound', async () => {
    const channels = new FakeChannels();
    const [hidden, visible, silent] = [openTab(null, true, true, channels.open), openTab(null, false, true, channels.open), openTab(null, false, false, channels.open)];
    visible.sounds.close();
    await callAll([silent, hidden], ['move m 4'], 0);
    expect([hidden.played, silent.played]).toEqual([['own_turn'], []]);
  });
});
