import { useEffect, useMemo, useRef } from 'preact/hooks';
import { soundEventsBetween } from '../../store/sound-events.ts';
import { clockLeft_ms, type TableState } from '../../store/table.ts';
import { useClient } from '../context.ts';
import { Sounds } from './sounds.ts';

/** With less than this left one's time is short, milliseconds; of a short clock, with less than a tenth. */
const LOW_MS = 20_000;

/** Plays a table's sounds, if the user wants them. */
export function useSounds(state: TableState | null): void {
  const { sound } = useClient().preferences;
  const sounds = useMemo(() => new Sounds(), []);
  useEffect(() => {
    const wake = (): void => sounds.wake();
    addEventListener('pointerdown', wake);
    addEventListener('keydown', wake);
    return () => {
      removeEventListener('pointerdown', wake);
      removeEventListener('keydown', wake);
      sounds.end();
    };
  }, [sounds]);

  const before = useRef<TableState | null>(null);
  useEffect(() => {
    if (state === null) return;
    const events = soundEventsBetween(before.current, state);
    before.current = state;
    if (sound.value) sounds.play(events);
  }, [state, sound, sounds]);

  useEffect(() => {
    const wait = state === null ? null : untilLow_ms(state, performance.now());
    if (wait === null) return undefined;
    const timer = setTimeout(() => (sound.value ? sounds.play(['low']) : undefined), wait);
    return () => clearTimeout(timer);
  }, [state, sound, sounds]);
}

/**
 * Returns the time until the viewer's own running clock is low; `null` if it does not run, or is
 * low already.
 */
export function untilLow_ms(state: TableState, now_ms: number): number | null {
  const { you, settings } = state;
  const { clock } = state.state;
  if (you === null || clock === undefined || clock.running !== you || clock.first_move === true) return null;
  const left = clockLeft_ms(state, you, now_ms);
  const { time } = settings;
  const base_ms = 'base_ms' in time ? time.base_ms : null;
  if (left === null || base_ms === null) return null;
  const wait = left + Math.max(0, clock.delay_left_ms - (now_ms - state.arrived_ms)) - Math.min(LOW_MS, base_ms / 10);
  return wait <= 0 ? null : wait;
}
