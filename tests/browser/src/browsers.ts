import { isDeepStrictEqual } from 'node:util';
import { type Browser, chromium as launcher } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { CHROMIUM_PATH } from './chromium.ts';
import { Person, type BoardState, type BrowserOptions } from './person.ts';
import { Server } from './server.ts';

/** A server or a cluster, which serves the pages. */
export interface Site {
  /** The address, `http://127.0.0.1:port`. */
  readonly url: string;
  readonly log: string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** A site and a browser for the tests of a file, and the windows of one test. */
export class BrowsersOf<S extends Site> {
  #site: S | undefined;
  #browser: Browser | undefined;
  #people: Person[] = [];

  /** Registers the start and end of the site and the browser. */
  constructor(startSite: () => Promise<S>) {
    beforeAll(async () => {
      const launch = launcher.launch({ executablePath: CHROMIUM_PATH, args: [...inject('chromiumFlags')] });
      await Promise.all([startSite().then((site) => (this.#site = site)), launch.then((browser) => (this.#browser = browser))]);
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await this.#report(task.name);
      await Promise.all(this.#people.map((person) => person.leave()));
      this.#people = [];
    });
    afterAll(async () => {
      await this.#browser?.close();
      await this.#site?.remove();
    });
  }

  get site(): S {
    if (this.#site === undefined) throw new Error('the server has not started');
    return this.#site;
  }

  /** Opens the lobby or another address in a new browser context. */
  async openBrowser(name: string, url = this.site.url, options: BrowserOptions = {}): Promise<Person> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const person = await Person.open(this.#browser, name, url, options);
    this.#people.push(person);
    return person;
  }

  /** Expects that no page had an error. */
  expectNoErrors(): void {
    expect(this.#people.flatMap((person) => person.errors)).toEqual([]);
  }

  async #report(test: string): Promise<void> {
    console.error(`the server's log in "${test}":\n${this.site.log}`);
    const name = test.replaceAll(/\W+/g, '-');
    await Promise.all(this.#people.map((person) => person.screenshot(`failed-${name}-${person.name}`)));
    console.error(this.#people.flatMap((person) => person.errors).join('\n'));
  }
}

/** A server and a browser for the tests of a file. */
export class Browsers extends BrowsersOf<Server> {
  /** Registers the start and end of both. The settings of the server are added to the defaults. */
  constructor(settings?: string) {
    super(() => Server.start(settings));
  }

  get server(): Server {
    return this.site;
  }
}

/**
 * Waits until all pages show the same board after event `seq`, and returns it. A move with an
 * elimination is several events, which the pages may not receive at the same time. And if the log
 * gets another event before a move, only the page of the mover shows the move at first.
 */
export async function expectSameBoards(people: readonly Person[], seq = -1): Promise<BoardState> {
  let boards: BoardState[] = [];
  const others = async (): Promise<BoardState[]> => {
    boards = await Promise.all(people.map((person) => person.boardAfter(seq)));
    return boards.filter((board) => !isDeepStrictEqual(board, boards[0]));
  };
  await expect.poll(others, { timeout: SAME_BOARDS_MS }).toEqual([]);
  const [one] = boards;
  if (one === undefined) throw new Error('nobody is there');
  return one;
}

/** The time within which all pages show the same board. */
const SAME_BOARDS_MS = 20_000;
