import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { MatchId } from '../protocol/generated.ts';
import { stateAtPly } from './state-at-ply.ts';
import type { TableState } from './table.ts';

/** The time for which each move is shown during playback, in milliseconds. */
const STEP_MS = 900;

/** A place in a match that somebody looks back at. */
interface Past {
  readonly match: MatchId;
  /** After so many moves. */
  readonly ply: number;
  /** The number of moves when the cursor was set. */
  readonly of: number;
}

/** Looking back at a match, also while it runs: new moves never take the viewer away from what is looked at. */
export class ReplayCursor {
  readonly #state: ReadonlySignal<TableState | null>;
  readonly #past = signal<Past | null>(null);
  readonly #playing = signal(false);
  /** The speed of playback, as a factor. */
  readonly pace = signal(1);
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(state: ReadonlySignal<TableState | null>) {
    this.#state = state;
  }

  /** After how many moves the match is shown; `null` as it is now. */
  readonly ply = computed((): number | null => {
    const [state, past] = [this.#state.value, this.#past.value];
    if (state === null || past === null || past.match !== state.match) return null;
    return past.ply < state.plies.length ? past.ply : null;
  });
  /** The number of moves since the cursor left the end. */
  readonly missed = computed(() => {
    const [state, past] = [this.#state.value, this.#past.value];
    return state === null || past === null || this.ply.value === null ? 0 : Math.max(0, state.plies.length - past.of);
  });
  /** The table as it is shown. */
  readonly shown = computed((): TableState | null => {
    const [state, ply] = [this.#state.value, this.ply.value];
    return state === null || ply === null ? state : stateAtPly(state, ply);
  });
  /** Set during playback. */
  readonly isPlaying = computed(() => this.#playing.value && this.ply.value !== null);

  /** Shows the match after so many moves; after the last one it is shown as it is, and goes on. */
  goTo(ply: number): void {
    this.#rest();
    this.#show(ply);
  }

  /** One move back. */
  back(): void {
    this.goTo((this.ply.value ?? this.#length) - 1);
  }

  /** One move on. */
  forward(): void {
    const { value } = this.ply;
    if (value !== null) this.goTo(value + 1);
  }

  /** Before the first move. */
  first(): void {
    this.goTo(0);
  }

  /** As it is now. */
  live(): void {
    this.goTo(this.#length);
  }

  /** Lets the moves play by themselves from here, or from the start if nothing comes after; or stops them. */
  play(): void {
    if (this.isPlaying.value) {
      this.#rest();
      return;
    }
    if (this.#length === 0) return;
    batch(() => {
      if (this.ply.value === null) this.#show(0);
      this.#playing.value = true;
    });
    this.#run();
  }

  /** Lets the moves play faster or slower from now on. */
  setPace(pace: number): void {
    this.pace.value = pace;
    if (this.#playing.value) this.#run();
  }

  /** Nothing plays any more: the page goes away. */
  end(): void {
    this.#rest();
  }

  get #length(): number {
    return this.#state.value?.plies.length ?? 0;
  }

  #show(ply: number): void {
    const state = this.#state.value;
    if (state === null) return;
    const of = this.ply.value === null ? state.plies.length : (this.#past.value?.of ?? state.plies.length);
    this.#past.value = ply >= state.plies.length ? null : { match: state.match, ply: Math.max(0, ply), of };
  }

  #run(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#step(), STEP_MS / this.pace.value);
  }

  #step(): void {
    const { value } = this.ply;
    if (value === null) this.#rest();
    else this.#show(value + 1);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#playing.value = false;
  }
}
