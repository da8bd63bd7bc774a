import { signal } from '@preact/signals';
import type { Persistence } from './persistence.ts';

const STORAGE_KEY = 'quadrex.name';
const ANSWERED = 'chosen';

/** The rejection of an action whose user closed the question for a name. It is no error. */
export class NameDeclined extends Error {}

/**
 * The question for the user's name. A browser asks it once, before the user takes a first seat
 * among people.
 */
export class NameQuestion {
  readonly isOpen = signal(false);
  readonly #persistence: Persistence;
  /** The actions that wait for the answer. */
  #waiting: ((isAnswered: boolean) => void)[] = [];

  constructor(persistence: Persistence) {
    this.#persistence = persistence;
  }

  /**
   * Runs an action once the user has a chosen name: at once if there is one. Rejects with
   * `NameDeclined` if the user closes the question.
   */
  runWithName<T>(action: () => Promise<T>): Promise<T> {
    if (this.#persistence.get(STORAGE_KEY) === ANSWERED) return action();
    const answer = new Promise<boolean>((resolve) => this.#waiting.push(resolve));
    this.isOpen.value = true;
    return answer.then((isAnswered) => {
      if (!isAnswered) throw new NameDeclined();
      return action();
    });
  }

  /** Records that the user chose a name, or kept the drawn one. */
  answered(): void {
    this.#persistence.set(STORAGE_KEY, ANSWERED);
    this.#close(true);
  }

  /** Closes the question without an answer. The next seat opens it again. */
  decline(): void {
    this.#close(false);
  }

  #close(isAnswered: boolean): void {
    this.isOpen.value = false;
    for (const resolve of this.#waiting.splice(0)) resolve(isAnswered);
  }
}
