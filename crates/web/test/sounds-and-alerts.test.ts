import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SoundEvent } from '../src/store/sound-events.ts';
import { SoundPlayer } from '../src/view/table/sounds.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, renderTableAfterSnapshot } from './support/page.tsx';

/** A replacement of the browser's audio that records the pitch of each started tone. */
class FakeAudio {
  static rung: number[] = [];
  /** The largest gain that any tone reached. */
  static loudest = 0;
  state = 'running';
  currentTime = 0;
  destination = {};
  createOscillator(): object {
    const frequency = { value: 0 };
    return { frequency, connect: <T,>(to: T) => to, start: () => FakeAudio.rung.push(frequency.value), stop: () => undefined };
  }
  createGain(): object {
    const ramp = (gain: number): void => {
      FakeAudio.loudest = Math.max(FakeAudio.loudest, gain);
    };
    return { gain: { setValueAtTime: ramp, exponentialRampToValueAtTime: ramp }, connect: <T,>(to: T) => to };
  }
  resume(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

beforeEach(() => {
  FakeAudio.rung = [];
  vi.stubGlobal('AudioContext', FakeAudio);
});
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
});

describe('sounds', () => {
  test('each event has a sound of its own', () => {
    const sounds = new SoundPlayer();
    sounds.enable();
    const all: readonly SoundEvent[] = ['start', 'move', 'capture', 'check', 'elimination', 'end', 'own_turn', 'low_time'];
    const received = all.map((occasion) => {
      FakeAudio.rung = [];
      sounds.play([occasion]);
      return FakeAudio.rung.join();
    });
    expect(new Set(received).size).toBe(all.length);
    expect(received).not.toContain('');
  });

  test('the volume scales every tone', () => {
    const loudness = [0.35, 1].map((volume) => {
      FakeAudio.loudest = 0;
      const sounds = new SoundPlayer(() => volume);
      sounds.enable();
      sounds.play(['move']);
      return FakeAudio.loudest;
    });
    expect(loudness[1]).toBeGreaterThan(0);
    expect((loudness[0] ?? 0) / (loudness[1] ?? 1)).toBeCloseTo(0.35);
  });

  test('nothing plays before the user has touched the page', () => {
    const sounds = new SoundPlayer();
    sounds.play(['move']);
    expect(FakeAudio.rung).toEqual([]);
  });

  test('the events of a table play, unless the sound is off', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const socket = renderTableAfterSnapshot(match, 'white', []);
    dispatchEvent(new Event('pointerdown'));
    act(() => socket.receive(match.move('e2e4')));
    const first = FakeAudio.rung.length;
    expect(first).toBeGreaterThan(0);
    act(() => document.querySelector<HTMLElement>('[data-testid="look-sound"]')?.click());
    act(() => socket.receive(match.move('e7e5')));
    expect(FakeAudio.rung).toHaveLength(first);
  });
});

describe('a hidden page', () => {
  const shown = class {
    static permission = 'granted';
    static titles: string[] = [];
    constructor(title: string) {
      shown.titles.push(title);
    }
    addEventListener(): void {}
    close(): void {}
  };

  test('alerts by its title, and by a notification if that is on', () => {
    vi.useFakeTimers();
    vi.stubGlobal('Notification', shown);
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, notify: true }));
    const match = new ScriptedMatch('classic', { white: 'Ben', black: 'Ada' }).startMatch('white');
    const socket = renderTableAfterSnapshot(match, 'black', []);
    expect(document.title).toBe('White to move · Quadrex');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => socket.receive(match.move('e2e4')));
    expect(shown.titles).toEqual(['Your move']);
    const titles = new Set<string>();
    for (let second = 0; second < 4; second += 1) {
      vi.advanceTimersByTime(1_000);
      titles.add(document.title);
    }
    expect(titles).toEqual(new Set(['▶▶ Your move', '● Your move · Quadrex']));
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(document.title).toBe('● Your move · Quadrex');
    vi.advanceTimersByTime(1_000);
    expect(document.title).toBe('● Your move · Quadrex');
    hidden.mockRestore();
  });
});
