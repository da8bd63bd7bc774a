import type { MatchId } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** A match as it is written, fetched when it is first wanted. */
export class Notation {
  readonly #api: Pick<Api, 'notation'>;
  readonly #match: MatchId;
  #text: Promise<string> | undefined;

  constructor(api: Pick<Api, 'notation'>, match: MatchId) {
    this.#api = api;
    this.#match = match;
  }

  /** A failed fetch is repeated when the notation is requested again. */
  text(): Promise<string> {
    this.#text ??= this.#api.notation(this.#match).catch((error: unknown) => {
      this.#text = undefined;
      throw error;
    });
    return this.#text;
  }
}
