import { signal } from '@preact/signals';

const TURNS_BOARD = 'quadrex.turns-board';

/** How the user of this browser likes things shown; nobody else knows. */
export class Preferences {
  /** Whether the board turns to whoever is to move, where one plays several seats. */
  readonly turnsBoard = signal(false);
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.turnsBoard.value = storage.getItem(TURNS_BOARD) === 'yes';
  }

  /** Lets the board turn from now on, or rest. */
  setTurnsBoard(turns: boolean): void {
    this.turnsBoard.value = turns;
    this.#storage.setItem(TURNS_BOARD, turns ? 'yes' : 'no');
  }
}
