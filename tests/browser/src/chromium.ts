import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Browser, chromium as launcher } from 'playwright-core';
import { Person, type BoardState, type BrowserOptions } from './person.ts';
import { Server } from './server.ts';

/** Flags for a browser without a screen that calls nobody; as root Chromium runs without its sandbox only. */
const FLAGS = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** A server and a browser for the tests of one file, and the people of one test. */
export class Chromium {
  #server: Server | undefined;
  #browser: Browser | undefined;
  #people: Person[] = [];

  /** The server has these settings beside the usual ones. */
  constructor(settings?: string) {
    beforeAll(async () => {
      this.#server = await Server.start(settings);
      this.#browser = await launcher.launch({
        executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
        args: FLAGS,
      });
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await this.#report(task.name);
      await Promise.all(this.#people.map((person) => person.leave()));
      this.#people = [];
    });
    afterAll(async () => {
      await this.#browser?.close();
      await this.#server?.remove();
    });
  }

  get server(): Server {
    if (this.#server === undefined) throw new Error('the server has not started');
    return this.#server;
  }

  /** Somebody opens the lobby, or what is at this address, in a browser of their own. */
  async enter(name: string, url = this.server.url, options: BrowserOptions = {}): Promise<Person> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const person = await Person.enter(this.#browser, name, url, options);
    this.#people.push(person);
    return person;
  }

  /** No page has met an error. */
  expectNoErrors(): void {
    expect(this.#people.flatMap((person) => person.errors)).toEqual([]);
  }

  async #report(test: string): Promise<void> {
    console.error(`the server's log in "${test}":\n${this.server.log}`);
    const name = test.replaceAll(/\W+/g, '-');
    await Promise.all(this.#people.map((person) => person.screenshot(`failed-${name}-${person.name}`)));
    console.error(this.#people.flatMap((person) => person.errors).join('\n'));
  }
}

/** Waits until everybody sees what comes after event `seq`, and all the same; gives what they see. */
export async function expectSameBoards(people: readonly Person[], seq = -1): Promise<BoardState> {
  const first = await Promise.all(people.map((person) => person.boardAfter(seq)));
  // A move that puts somebody out is more than one event, and not all pages are there at the same time.
  const last = Math.max(...first.map((board) => board.seq));
  const boards = await Promise.all(
    people.map((person, index) => (first[index]?.seq === last ? first[index] : person.boardAfter(last - 1))),
  );
  const [one, ...others] = boards;
  if (one === undefined) throw new Error('nobody is there');
  for (const other of others) expect(other).toEqual(one);
  return one;
}
