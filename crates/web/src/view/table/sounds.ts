import type { SoundEvent } from '../../store/sound-events.ts';

/** One tone of a sound. */
interface Tone {
  readonly hz: number;
  /** The time from the beginning of the sound to the beginning of the tone, in seconds. */
  readonly start_s: number;
  readonly duration_s: number;
  readonly waveform: OscillatorType;
  /** The volume, from 0 to 1. */
  readonly gain: number;
}

function tone(hz: number, start_s: number, duration_s: number, waveform: OscillatorType, gain: number): Tone {
  return { hz, start_s, duration_s, waveform, gain };
}

/**
 * The tones of each sound: low knocks for moves, bells for the viewer's turn, a signal for check.
 */
const SOUNDS: Readonly<Record<SoundEvent, readonly Tone[]>> = {
  start: [tone(392, 0, 0.2, 'sine', 0.25), tone(587, 0.14, 0.3, 'sine', 0.25)],
  move: [tone(210, 0, 0.07, 'triangle', 0.5), tone(520, 0, 0.025, 'square', 0.06)],
  capture: [tone(150, 0, 0.13, 'triangle', 0.6), tone(98, 0.03, 0.14, 'triangle', 0.5), tone(700, 0, 0.03, 'square', 0.08)],
  check: [tone(740, 0, 0.11, 'sawtooth', 0.12), tone(988, 0.12, 0.2, 'sawtooth', 0.12)],
  elimination: [tone(392, 0, 0.16, 'triangle', 0.3), tone(311, 0.15, 0.16, 'triangle', 0.3), tone(233, 0.3, 0.34, 'triangle', 0.3)],
  end: [tone(523, 0, 0.3, 'sine', 0.25), tone(659, 0.14, 0.3, 'sine', 0.25), tone(784, 0.28, 0.3, 'sine', 0.25), tone(1_047, 0.42, 0.6, 'sine', 0.25)],
  own_turn: [tone(880, 0, 0.12, 'sine', 0.3), tone(1_175, 0.1, 0.35, 'sine', 0.3)],
  low_time: [tone(1_320, 0, 0.06, 'square', 0.09), tone(1_320, 0.14, 0.06, 'square', 0.09), tone(1_320, 0.28, 0.06, 'square', 0.09)],
};

/** The time from the start of one sound to the start of the next, when several are queued, in seconds. */
const SOUND_INTERVAL_S = 0.16;

/**
 * A player of synthesized sounds, without sound files. Browsers allow sounds only after the user
 * has touched the page.
 */
export class SoundPlayer {
  #audio: AudioContext | null = null;
  readonly #volume: () => number;
  /** Set if the browser has refused sounds. */
  #isDisabled = false;
  /**
   * The earliest time at which the next sound may start, so that it follows the previous one, in
   * seconds of the audio clock.
   */
  #nextStart_s = 0;

  /** Creates a player. `volume` returns the factor by which sounds are louder than usual. */
  constructor(volume: () => number = () => 1) {
    this.#volume = volume;
  }

  /** True once the user has touched the page, and the browser has not refused sounds. */
  get isEnabled(): boolean {
    return this.#audio !== null;
  }

  /** Enables sounds, after the user has touched the page. */
  enable(): void {
    if (this.#isDisabled || !('AudioContext' in globalThis)) return;
    try {
      this.#audio ??= new AudioContext();
      if (this.#audio.state === 'suspended') void this.#audio.resume().catch(() => undefined);
    } catch {
      // There is no sound device, or too many pages have sounds. The page stays silent.
      this.#isDisabled = true;
    }
  }

  /** Plays the sounds of these events one after the other, following any sound from an earlier call. */
  play(events: readonly SoundEvent[]): void {
    const audio = this.#audio;
    // A sound that cannot play now is dropped.
    if (audio === null || audio.state !== 'running') return;
    try {
      const now_s = audio.currentTime;
      // If many sounds are requested at once, they overlap instead of waiting for each other.
      const start_s = Math.min(Math.max(now_s, this.#nextStart_s), now_s + SOUND_INTERVAL_S);
      this.#nextStart_s = start_s + events.length * SOUND_INTERVAL_S;
      events.forEach((event, index) => {
        for (const one of SOUNDS[event]) playTone(audio, { ...one, gain: one.gain * this.#volume() }, start_s + index * SOUND_INTERVAL_S);
      });
    } catch {
      this.#isDisabled = true;
      this.close();
    }
  }

  /** Releases the sound device when the page closes. */
  close(): void {
    const audio = this.#audio;
    this.#audio = null;
    void audio?.close().catch(() => undefined);
  }
}

/** Plays a tone that starts at full volume and fades out. An abrupt end would click. */
function playTone(audio: AudioContext, { hz, start_s: toneStart_s, duration_s, waveform, gain }: Tone, soundStart_s: number): void {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  const [from, to] = [soundStart_s + toneStart_s, soundStart_s + toneStart_s + duration_s];
  source.type = waveform;
  source.frequency.value = hz;
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(gain, from + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, to);
  source.connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(to + 0.02);
}
