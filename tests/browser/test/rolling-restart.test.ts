import { expect, test } from 'vitest';
import { BrowsersOf, expectSameBoards } from '../src/browsers.ts';
import { Cluster } from '../src/cluster.ts';
import type { Person } from '../src/person.ts';
import type { Color, Move } from '../src/script.ts';

const chromium = new BrowsersOf(() => Cluster.start());

/** The squares of two knights on their ways, and the pawn moves between two rounds. */
const WHITE = { ways: ['g1 h3 g5 f3 g1', 'b1 a3 b5 c3 b1'], pawns: ['e2e3', 'd2d3', 'e3e4', 'd3d4', 'g2g3', 'b2b3', 'c2c4'] };
const BLACK = { ways: ['g8 h6 g4 f6 g8', 'b8 a6 b4 c6 b8'], pawns: ['e7e6', 'd7d6', 'e6e5', 'd6d5', 'g7g6', 'b7b6', 'c7c5'] };

/** Returns the moves of a player: rounds of the knights, and one pawn move after each round. */
function movesOf({ ways, pawns }: typeof WHITE): Move[] {
  const round = ways.flatMap((way) => {
    const squares = way.split(' ');
    return squares.slice(1).map((to, index) => `${squares[index]}${to}`);
  });
  return pawns.flatMap((pawn) => [...round, pawn]).map((mv) => ({ from: mv.slice(0, 2), to: mv.slice(2), promotion: undefined }));
}

/** Records everything on the page that says that somebody is offline, or that something was refused. */
async function recordTrouble(person: Person): Promise<void> {
  await person.page.evaluate(() => {
    const trouble = new Set<string>();
    const look = (): void => {
      const state = document.querySelector<HTMLElement>('[data-testid="connection"]')?.dataset['state'];
      if (state !== 'online') trouble.add(`the connection is ${state}`);
      for (const seat of document.querySelectorAll('[data-here="false"]')) {
        trouble.add(`${seat.closest<HTMLElement>('[data-testid]')?.dataset['testid']} is away`);
      }
      if (document.querySelector('[data-testid="unsent"]') !== null) trouble.add('a move is not sent');
      const notices = document.querySelector('[data-testid="notices"]')?.textContent ?? '';
      if (notices !== '') trouble.add(notices);
      document.documentElement.dataset['trouble'] = [...trouble].join('\n');
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

async function expectNoTrouble(people: readonly Person[]): Promise<void> {
  for (const person of people) expect(await person.page.locator('html').getAttribute('data-trouble'), person.name).toBe('');
}

/** Waits until all pages show that a color is to move. */
async function untilTurn(people: readonly Person[], color: Color): Promise<void> {
  await Promise.all(people.map((person) => person.page.waitForSelector(`[data-testid="board"][data-turn="${color}"]`)));
}

/** Counts the sockets that the page opens from now on. */
function countSockets(person: Person): () => number {
  let count = 0;
  person.page.on('websocket', () => (count += 1));
  return () => count;
}

test('two people play while all nodes are restarted one after another, and no page notices it', async () => {
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  const visitor = await chromium.openBrowser('visitor');
  await visitor.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  await untilTurn([white, black], 'white');
  const pages = [white, black, visitor];
  for (const person of pages) await person.page.waitForSelector(':root:not(:has([data-here="false"]))');
  for (const person of pages) await recordTrouble(person);
  const counters = pages.map(countSockets);

  let isRestarting = true;
  const restartAll = async (): Promise<void> => {
    for (const number of chromium.site.numbers) {
      await chromium.site.restart(number);
      await expectNoTrouble(pages);
    }
    isRestarting = false;
  };
  const play = async (): Promise<void> => {
    const [whites, blacks] = [movesOf(WHITE), movesOf(BLACK)];
    for (const [round, move] of whites.entries()) {
      if (!isRestarting) break;
      await white.move(move, 'type');
      await untilTurn([white, black], 'black');
      await black.move(blacks[round] ?? move, 'type');
      await untilTurn([white, black], 'white');
      const { pieces } = await expectSameBoards([white, black]);
      expect(pieces[move.to]?.[0], `the move ${round + 1} of White`).toBe('w');
    }
  };
  await Promise.all([restartAll(), play()]);

  await expectNoTrouble(pages);
  for (const count of counters) expect(count(), 'the node of each page was restarted').toBeGreaterThan(0);
  chromium.expectNoErrors();
});
