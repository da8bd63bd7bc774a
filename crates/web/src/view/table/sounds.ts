import type { SoundEvent } from '../../store/sound-events.ts';

/** One tone of a sound. */
interface Tone {
  readonly hz: number;
  /** Start after the beginning of the sound, seconds. */
  readonly at_s: number;
  readonly for_s: number;
  readonly shape: OscillatorType;
  /** Volume, from 0 to 1. */
  readonly gain: number;
}

function tone(hz: number, at_s: number, for_s: number, shape: OscillatorType, gain: number): Tone {
  return { hz, at_s, for_s, shape, gain };
}

/** A sound for each event: wood for moves, bells for one's turn, a signal for check. All are made of a few tones. */
const SOUNDS: Readonly<Record<SoundEvent, readonly Tone[]>> = {
  start: [tone(392, 0, 0.2, 'sine', 0.25), tone(587, 0.14, 0.3, 'sine', 0.25)],
  move: [tone(210, 0, 0.07, 'triangle', 0.5), tone(520, 0, 0.025, 'square', 0.06)],
  capture: [tone(150, 0, 0.13, 'triangle', 0.6), tone(98, 0.03, 0.14, 'triangle', 0.5), tone(700, 0, 0.03, 'square', 0.08)],
  check: [tone(740, 0, 0.11, 'sawtooth', 0.12), tone(988, 0.12, 0.2, 'sawtooth', 0.12)],
  out: [tone(392, 0, 0.16, 'triangle', 0.3), tone(311, 0.15, 0.16, 'triangle', 0.3), tone(233, 0.3, 0.34, 'triangle', 0.3)],
  end: [tone(523, 0, 0.3, 'sine', 0.25), tone(659, 0.14, 0.3, 'sine', 0.25), tone(784, 0.28, 0.3, 'sine', 0.25), tone(1_047, 0.42, 0.6, 'sine', 0.25)],
  turn: [tone(880, 0, 0.12, 'sine', 0.3), tone(1_175, 0.1, 0.35, 'sine', 0.3)],
  low: [tone(1_320, 0, 0.06, 'square', 0.09), tone(1_320, 0.14, 0.06, 'square', 0.09), tone(1_320, 0.28, 0.06, 'square', 0.09)],
};

/** After another sound one's turn comes so much later, seconds. */
const NEXT_S = 0.16;

/** Plays sounds that it makes itself: nothing is loaded. Before somebody has touched the page browsers allow none. */
export class Sounds {
  #audio: AudioContext | null = null;
  /** The browser refuses sounds. */
  #silent = false;

  /** Somebody has touched the page: from now on there may be sounds. */
  wake(): void {
    if (this.#silent || !('AudioContext' in globalThis)) return;
    try {
      this.#audio ??= new AudioContext();
      if (this.#audio.state === 'suspended') void this.#audio.resume().catch(() => undefined);
    } catch {
      // No sound device, or too many pages with sounds: the table stays silent.
      this.#silent = true;
    }
  }

  /** Plays sound events, one after the other. */
  play(events: readonly SoundEvent[]): void {
    const audio = this.#audio;
    // A sound that cannot be played now is not made up for later.
    if (audio === null || audio.state !== 'running') return;
    try {
      events.forEach((event, index) => {
        for (const one of SOUNDS[event]) ring(audio, one, audio.currentTime + index * NEXT_S);
      });
    } catch {
      this.#silent = true;
      this.end();
    }
  }

  /** The page goes away. */
  end(): void {
    const audio = this.#audio;
    this.#audio = null;
    void audio?.close().catch(() => undefined);
  }
}

/** A tone that is loudest at once and dies away, without the click of one that is cut. */
function ring(audio: AudioContext, { hz, at_s, for_s, shape, gain }: Tone, start_s: number): void {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  const [from, to] = [start_s + at_s, start_s + at_s + for_s];
  source.type = shape;
  source.frequency.value = hz;
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(gain, from + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, to);
  source.connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(to + 0.02);
}
