import { signal } from '@preact/signals';
import { Refusal } from '../connection/outbox.ts';
import type { Analysis } from '../protocol/generated.ts';

/** The time at a position before the engine is asked, in milliseconds: stepping through quickly asks nothing. */
const REST_MS = 300;
/** The waits before a busy engine is asked again, in milliseconds, and their number. */
const AGAIN_MS = 1_500;
const MOST_TRIES = 6;
/** As many answers are remembered: who steps back sees at once what was seen before. */
const KEPT = 400;

/** A place in a game, as the engine is asked about it. */
export type EnginePlace =
  /** There is nothing to look for: the game is over. */
  | { readonly kind: 'over' }
  /** The position is not known yet. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      /** Equal for equal places. */
      readonly key: string;
      readonly ask: (until: AbortSignal) => Promise<Analysis>;
    };

/** The engine's findings about the current position. */
export type Thought =
  /** Nobody asks. */
  | { readonly kind: 'off' }
  | { readonly kind: 'over' }
  /** The engine is being asked; `last` is what it said of the place before. */
  | { readonly kind: 'looking'; readonly last: Analysis | null }
  | { readonly kind: 'told'; readonly analysis: Analysis }
  | { readonly kind: 'refused'; readonly error: Error };

/** The server's engine, asked about one place after another: what is no longer wanted is given up. */
export class Engine {
  readonly thought = signal<Thought>({ kind: 'off' });
  readonly #cache = new Map<string, Analysis>();
  #last: Analysis | null = null;
  #key: string | null = null;
  #until: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks at a place, once one has rested there. */
  look(place: EnginePlace): void {
    if (place.kind === 'known' && place.key === this.#key) return;
    this.#giveUp();
    if (place.kind === 'over') this.thought.value = { kind: 'over' };
    else if (place.kind === 'unknown') this.#show({ kind: 'looking', last: this.#last });
    else this.#begin(place, REST_MS);
  }

  /** Asks again about a place the engine had nothing to say of. */
  again(place: EnginePlace): void {
    this.#giveUp();
    if (place.kind === 'known') this.#begin(place, 0);
  }

  /** Nobody asks any more. */
  rest(): void {
    this.#giveUp();
    this.#last = null;
    this.thought.value = { kind: 'off' };
  }

  #begin(place: Extract<EnginePlace, { kind: 'known' }>, rest: number): void {
    this.#key = place.key;
    const known = this.#cache.get(place.key);
    if (known !== undefined) {
      this.#publish(known);
      return;
    }
    this.#show({ kind: 'looking', last: this.#last });
    this.#timer = setTimeout(() => void this.#ask(place, 1), rest);
  }

  async #ask(place: Extract<EnginePlace, { kind: 'known' }>, tries: number): Promise<void> {
    const until = new AbortController();
    this.#until = until;
    try {
      const analysis = await place.ask(until.signal);
      this.#keep(place.key, analysis);
      if (this.#until === until) this.#publish(analysis);
    } catch (error) {
      if (this.#until !== until) return;
      const hasTooMuch = error instanceof Refusal && (error.code === 'busy' || error.code === 'rate_limited');
      if (hasTooMuch && tries < MOST_TRIES) this.#timer = setTimeout(() => void this.#ask(place, tries + 1), AGAIN_MS);
      else this.thought.value = { kind: 'refused', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #publish(analysis: Analysis): void {
    this.#last = analysis;
    this.thought.value = { kind: 'told', analysis };
  }

  /** Skips a position that is shown already. */
  #show(thought: Extract<Thought, { kind: 'looking' }>): void {
    const now = this.thought.value;
    if (now.kind !== 'looking' || now.last !== thought.last) this.thought.value = thought;
  }

  #keep(key: string, analysis: Analysis): void {
    this.#cache.set(key, analysis);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > KEPT && oldest.done !== true) this.#cache.delete(oldest.value);
  }

  #giveUp(): void {
    clearTimeout(this.#timer);
    this.#until?.abort();
    this.#until = undefined;
    this.#key = null;
  }
}

/** The number of best moves to request. */
export const LINES = 3;
