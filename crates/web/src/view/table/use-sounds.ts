import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PreferenceValues } from '../../store/preferences.ts';
import { composeCallKey, type Call } from '../../store/own-tables.ts';
import { soundEventsBetween, type SoundEvent } from '../../store/sound-events.ts';
import { clockLeft_ms, type TableState } from '../../store/table.ts';
import { useClient } from '../context.ts';
import { useCallSounds } from './call-sounds.ts';
import { SoundPlayer } from './sounds.ts';

/**
 * The time left from which a clock counts as low, in milliseconds. If a tenth of the clock's
 * initial time is less, the clock counts as low from that time.
 */
const LOW_TIME_MS = 20_000;

/** The factor of each volume relative to the usual loudness. */
const VOLUME_FACTORS: Readonly<Record<PreferenceValues['volume'], number>> = { quiet: 0.35, normal: 1, loud: 1.8 };

/** Returns a player of sounds, which browsers allow once the user has touched the page. */
export function useSoundPlayer(): SoundPlayer {
  const { volume } = useClient().preferences;
  const player = useMemo(() => new SoundPlayer(() => VOLUME_FACTORS[volume.value]), [volume]);
  useEffect(() => {
    const enableSounds = (): void => player.enable();
    addEventListener('pointerdown', enableSounds);
    addEventListener('keydown', enableSounds);
    return () => {
      removeEventListener('pointerdown', enableSounds);
      removeEventListener('keydown', enableSounds);
      player.close();
    };
  }, [player]);
  return player;
}

/**
 * The sounds that call the user, with the kind of call. Only one of the user's tabs plays such a
 * sound.
 */
const CALLS: Partial<Record<SoundEvent, Call['kind']>> = { own_turn: 'move', start: 'started' };

/** Plays the sounds of a table while they are switched on. */
export function useSounds(state: TableState | null): void {
  const { sound } = useClient().preferences;
  const player = useSoundPlayer();
  const calls = useCallSounds(player);
  const before = useRef<TableState | null>(null);
  useEffect(() => {
    if (state === null) return;
    const events = soundEventsBetween(before.current, state);
    before.current = state;
    if (!sound.value) return;
    player.play(events.filter((event) => CALLS[event] === undefined));
    for (const event of events) {
      const kind = CALLS[event];
      if (kind !== undefined) void calls.play(composeCallKey(kind, state.match, state.plies.length), [event]);
    }
  }, [state, sound, player, calls]);

  useEffect(() => {
    const wait_ms = state === null ? null : timeUntilLow_ms(state, performance.now());
    if (wait_ms === null) return undefined;
    const timer = setTimeout(() => (sound.value ? player.play(['low_time']) : undefined), wait_ms);
    return () => clearTimeout(timer);
  }, [state, sound, player]);
}

/**
 * Returns the time until the viewer's clock is low, in milliseconds. Returns `null` if the clock
 * does not run or is low already.
 */
export function timeUntilLow_ms(state: TableState, now_ms: number): number | null {
  const { viewerSeat, settings } = state;
  const { clock } = state.state;
  if (viewerSeat === null || clock === undefined || clock.running !== viewerSeat || clock.first_move === true) return null;
  const left = clockLeft_ms(state, viewerSeat, now_ms);
  const { time } = settings;
  const base_ms = 'base_ms' in time ? time.base_ms : null;
  if (left === null || base_ms === null) return null;
  const wait = left + Math.max(0, clock.delay_left_ms - (now_ms - state.arrived_ms)) - Math.min(LOW_TIME_MS, base_ms / 10);
  return wait <= 0 ? null : wait;
}
