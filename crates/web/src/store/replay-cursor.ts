import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { MatchId } from '../protocol/generated.ts';
import { stateAtPly } from './state-at-ply.ts';
import type { TableState } from './table.ts';

/** The time for which each move is shown during playback at normal speed, in milliseconds. */
const STEP_MS = 900;

/** The earlier position of a match that is displayed. */
interface CursorPosition {
  readonly match: MatchId;
  /** The number of moves before the position. */
  readonly ply: number;
  /** The number of moves of the match when the cursor left the latest position. */
  readonly knownPlies: number;
}

/**
 * A cursor for the display of earlier positions of a match, also while the match runs. New moves do
 * not change the displayed position.
 */
export class ReplayCursor {
  readonly #state: ReadonlySignal<TableState | null>;
  readonly #position = signal<CursorPosition | null>(null);
  readonly #isRunning = signal(false);
  /** The speed of playback, as a factor. */
  readonly speed = signal(1);
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(state: ReadonlySignal<TableState | null>) {
    this.#state = state;
  }

  /** The number of moves before the displayed position, or `null` at the latest position. */
  readonly ply = computed((): number | null => {
    const [state, position] = [this.#state.value, this.#position.value];
    if (state === null || position === null || position.match !== state.match) return null;
    return position.ply < state.plies.length ? position.ply : null;
  });
  /** The number of moves made since the cursor left the latest position. */
  readonly newPlies = computed(() => {
    const [state, position] = [this.#state.value, this.#position.value];
    return state === null || position === null || this.ply.value === null ? 0 : Math.max(0, state.plies.length - position.knownPlies);
  });
  /** The table at the displayed position. */
  readonly shown = computed((): TableState | null => {
    const [state, ply] = [this.#state.value, this.ply.value];
    return state === null || ply === null ? state : stateAtPly(state, ply);
  });
  /** Set during playback. */
  readonly isPlaying = computed(() => this.#isRunning.value && this.ply.value !== null);

  /**
   * Shows the position after a number of moves. If it is the position after the last move, the
   * cursor follows the match again.
   */
  goTo(ply: number): void {
    this.#stopPlayback();
    this.#moveTo(ply);
  }

  /** Goes one move back. */
  back(): void {
    this.goTo((this.ply.value ?? this.#plyCount) - 1);
  }

  /** Goes one move forward. */
  forward(): void {
    const { value } = this.ply;
    if (value !== null) this.goTo(value + 1);
  }

  /** Goes to the position before the first move. */
  first(): void {
    this.goTo(0);
  }

  /** Goes to the latest position and follows the match. */
  live(): void {
    this.goTo(this.#plyCount);
  }

  /**
   * Starts playback at the displayed position, or stops it if it runs. At the latest position it
   * starts from the first move.
   */
  togglePlayback(): void {
    if (this.isPlaying.value) {
      this.#stopPlayback();
      return;
    }
    if (this.#plyCount === 0) return;
    batch(() => {
      if (this.ply.value === null) this.#moveTo(0);
      this.#isRunning.value = true;
    });
    this.#startTimer();
  }

  /** Changes the speed of playback. */
  setSpeed(speed: number): void {
    this.speed.value = speed;
    if (this.#isRunning.value) this.#startTimer();
  }

  /** Stops playback when the page closes. */
  dispose(): void {
    this.#stopPlayback();
  }

  get #plyCount(): number {
    return this.#state.value?.plies.length ?? 0;
  }

  #moveTo(ply: number): void {
    const state = this.#state.value;
    if (state === null) return;
    const of = this.ply.value === null ? state.plies.length : (this.#position.value?.knownPlies ?? state.plies.length);
    this.#position.value = ply >= state.plies.length ? null : { match: state.match, ply: Math.max(0, ply), knownPlies: of };
  }

  #startTimer(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#step(), STEP_MS / this.speed.value);
  }

  #step(): void {
    const { value } = this.ply;
    if (value === null) this.#stopPlayback();
    else this.#moveTo(value + 1);
  }

  #stopPlayback(): void {
    clearInterval(this.#timer);
    this.#isRunning.value = false;
  }
}
