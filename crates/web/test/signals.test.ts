import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SoundEvent } from '../src/store/sound-events.ts';
import { SoundPlayer } from '../src/view/table/sounds.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, openTable } from './support/page.tsx';

/** Stands for the browser's audio: keeps the pitch of each tone that is begun. */
class FakeAudio {
  static rung: number[] = [];
  state = 'running';
  currentTime = 0;
  destination = {};
  createOscillator(): object {
    const frequency = { value: 0 };
    return { frequency, connect: <T,>(to: T) => to, start: () => FakeAudio.rung.push(frequency.value), stop: () => undefined };
  }
  createGain(): object {
    const ramp = (): void => undefined;
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
  test('each occasion has a sound of its own', () => {
    const sounds = new SoundPlayer();
    sounds.enable();
    const all: readonly SoundEvent[] = ['start', 'move', 'capture', 'check', 'out', 'end', 'turn', 'low'];
    const received = all.map((occasion) => {
      FakeAudio.rung = [];
      sounds.play([occasion]);
      return FakeAudio.rung.join();
    });
    expect(new Set(received).size).toBe(all.length);
    expect(received).not.toContain('');
  });

  test('nothing is received before the page was touched', () => {
    const sounds = new SoundPlayer();
    sounds.play(['move']);
    expect(FakeAudio.rung).toEqual([]);
  });

  test('a table is received, unless the user wants silence', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
    const socket = openTable(match, 'white', []);
    dispatchEvent(new Event('pointerdown'));
    act(() => socket.say(match.move('e2e4')));
    const first = FakeAudio.rung.length;
    expect(first).toBeGreaterThan(0);
    act(() => document.querySelector<HTMLElement>('[data-testid="look-sound"]')?.click());
    act(() => socket.say(match.move('e7e5')));
    expect(FakeAudio.rung).toHaveLength(first);
  });
});

describe('who does not see the page', () => {
  const shown = class {
    static permission = 'granted';
    static titles: string[] = [];
    constructor(title: string) {
      shown.titles.push(title);
    }
    addEventListener(): void {}
    close(): void {}
  };

  test('is called by the title, and by the browser where that was asked for', () => {
    vi.useFakeTimers();
    vi.stubGlobal('Notification', shown);
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, notify: true }));
    const match = new ScriptedMatch('classic', { white: 'Ben', black: 'Ada' }).begin('white');
    const socket = openTable(match, 'black', []);
    expect(document.title).toBe('White to move · Quadrex');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => socket.say(match.move('e2e4')));
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
