import { signal } from '@preact/signals';
import type { Persistence } from './persistence.ts';

const STORAGE_KEY = 'quadrex.name';
const ANSWERED = 'chosen';

/**
 * The rejection of an action because the user closed the question for a name. It is not shown as an
 * error.
 */
export class NameDeclined extends Error {}

/**
 * The question for the user's name. It is asked once in each browser, before the user takes a seat
 * at a table with other people for the first time.
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
   * Runs an action once the user has chosen a name, or at once if that has happened already.
   * Rejects with `NameDeclined` if the user closes the question.
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

  /** Records that the user has chosen a name, or has kept the random one. */
  answered(): void {
    this.#persistence.set(STORAGE_KEY, ANSWERED);
    this.#close(true);
  }

  /** Closes the question without an answer. It opens again when the user takes the next seat. */
  decline(): void {
    this.#close(false);
  }

  #close(isAnswered: boolean): void {
    this.isOpen.value = false;
    for (const resolve of this.#waiting.splice(0)) resolve(isAnswered);
  }
}
