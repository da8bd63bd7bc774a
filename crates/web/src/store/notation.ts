import type { MatchId } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The PGN or PGN4 of a match, fetched on first use. */
export class Notation {
  readonly #api: Pick<Api, 'notation'>;
  readonly #match: MatchId;
  #text: Promise<string> | undefined;

  constructor(api: Pick<Api, 'notation'>, match: MatchId) {
    this.#api = api;
    this.#match = match;
  }

  /** Returns the notation. After a failed fetch the next call fetches again. */
  text(): Promise<string> {
    this.#text ??= this.#api.notation(this.#match).catch((error: unknown) => {
      this.#text = undefined;
      throw error;
    });
    return this.#text;
  }
}
