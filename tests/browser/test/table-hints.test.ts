import { afterEach, expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { contrast, readColor } from '../src/colors.ts';
import { Browsers, expectSameBoards } from '../src/browsers.ts';
import { openTableOf, type OwnTableOptions } from '../src/own-table.ts';
import { PHONE, type BrowserOptions, type Person } from '../src/person.ts';
import { NetworkProxy } from '../src/proxy.ts';

const chromium = new Browsers();
const proxies: NetworkProxy[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));

/** The windows of the screenshots: two phones, a tablet and a desktop, light and dark. */
const WINDOWS: Readonly<Record<string, BrowserOptions>> = {
  small: { ...PHONE, viewport: { width: 360, height: 740 }, locale: 'de' },
  phone: { ...PHONE, colorScheme: 'dark' },
  tablet: { viewport: { width: 820, height: 1180 } },
  desk: { viewport: { width: 1440, height: 900 } },
  night: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
};

/** The FEN4 of a position on the cross: the color to move and pieces such as `rKg1`. */
function fen4(turn: string, words: string): string {
  const pieces = new Map(words.split(' ').map((word) => [word.slice(2), word.slice(0, 2)]));
  const rows = Array.from({ length: 14 }, (_, index) => {
    const cells: string[] = [];
    let empty = 0;
    for (let file = 0; file < 14; file += 1) {
      const piece = pieces.get(`${String.fromCodePoint(97 + file)}${14 - index}`);
      if (piece === undefined) empty += 1;
      else {
        if (empty > 0) cells.push(String(empty));
        cells.push(piece);
        empty = 0;
      }
    }
    if (empty > 0) cells.push(String(empty));
    return cells.join(',');
  });
  const none = '0,0,0,0';
  return `${turn}-${none}-${none}-${none}-${none}-0-${rows.join('/')}`;
}

/** Creates a table with the API, which has more settings than the dialog, opens it and returns its path. */
async function makeTable(person: Person, table: OwnTableOptions): Promise<string> {
  await openTableOf(person, table);
  return new URL(person.page.url()).pathname;
}

/** Starts a match from a position in which one person has all seats. */
async function playAll(name: string, turn: string, words: string, options: BrowserOptions = {}, more: object = {}): Promise<Person> {
  const person = await chromium.openBrowser(name, undefined, options);
  const colors = ['red', 'blue', 'yellow', 'green'];
  await makeTable(person, { variant: 'dilkel', privacy: 'private', hotseat: true, seat: 'red', setup: fen4(turn, words), ...more });
  for (const color of colors.slice(1)) {
    await person.byTestId(`sit-${color}`).click();
    await person.page.waitForSelector(`[data-testid="seat-${color}"][data-held="true"]`);
  }
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  return person;
}

/** Expects that no line of the banner is cut off, and nothing is outside of the window. */
async function expectWholeBanner(person: Person): Promise<void> {
  const cut = await person.page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>('.status, .status-head > *, .status-text')];
    return parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0).map((part) => part.textContent);
  });
  expect(cut, person.name).toEqual([]);
  const [content, width] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, `${person.name}: nothing lies beside the window`).toBeLessThanOrEqual(width ?? 0);
}

/** A position in which Blue's next move mates Red, and a knight of Yellow is pinned. */
const NET = 'rKg1 bKa8 yKh14 gKn7 bRd2 bRk4 yNh13 gRh9';

test('the banner names players in check, players who are mated without help, and why a piece cannot move', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const person = await playAll(`net-${size}`, 'B', NET, options);
    const german = size === 'small';
    await person.move({ from: 'k4', to: 'k1', promotion: undefined }, 'click');
    await person.byTestId('in-check').filter({ hasText: german ? 'Rot im Schach' : 'Red in check' }).waitFor();
    await person.byTestId('facing-mate').filter({ hasText: german ? 'Rot ist matt, wenn' : 'Red is mated unless someone helps' }).waitFor();
    await expectWholeBanner(person);
    await person.screenshot(`hints-facing-mate-${size}`);
    await person.square('h13').click();
    await person.byTestId('stuck').filter({ hasText: german ? 'gefesselt' : 'pinned' }).waitFor();
    await expectWholeBanner(person);
    await person.screenshot(`hints-pinned-${size}`);
    expect(await axeFindings(person), size).toEqual([]);
    await person.move({ from: 'h14', to: 'g14', promotion: undefined }, 'click');
    await person.page.waitForSelector('[data-testid="board"][data-turn="green"]');
    await person.move({ from: 'n7', to: 'n8', promotion: undefined }, 'click');
    await person.page.waitForSelector('[data-testid="seat-red"][data-in="false"]');
    await person.byTestId('status').filter({ hasText: german ? 'Rot ist matt: Die Armee' : 'Red had no way out' }).waitFor();
    await person.screenshot(`hints-army-leaves-${size}`);
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('a move that stalemates the next player needs a confirmation, and the draw is explained', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const person = await playAll(`stalemate-${size}`, 'G', 'rKd1 bKa8 yKh14 gKn7 bQf2 gPm4', options);
    await person.move({ from: 'n7', to: 'n8', promotion: undefined }, 'click');
    await person.byTestId('stalemate-warning').waitFor();
    await person.screenshot(`hints-stalemate-${size}`);
    const [over, board] = await person.page.evaluate(() =>
      ['.confirm-move', '.board'].map((name) => {
        const { top, bottom, left, right } = document.querySelector(name)?.getBoundingClientRect() ?? new DOMRect();
        return { top, bottom, left, right };
      }),
    );
    if (over === undefined || board === undefined) throw new Error('both are there');
    const apart = over.left >= board.right || over.right <= board.left || over.top >= board.bottom || over.bottom <= board.top;
    expect(apart, `${size}: the question covers nothing of the board`).toBe(true);
    expect(await axeFindings(person), size).toEqual([]);
    await person.byTestId('confirm-play').click();
    await person.byTestId('result').waitFor();
    await person.byTestId('status').filter({ hasText: size === 'small' ? 'Rot kann nicht ziehen' : 'Red cannot move and is not in check: a draw for all four' }).waitFor();
    await expectWholeBanner(person);
    await person.screenshot(`hints-stalemated-${size}`);
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('the promotion chooser shows every piece, and why some are not available', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const person = await playAll(`promotion-${size}`, 'R', 'rKg1 bKa8 yKk13 gKn7 rPe13 rRd4', options);
    await person.move({ from: 'e13', to: 'e14', promotion: undefined }, 'click');
    await person.byTestId('promote-q').waitFor();
    expect(await person.page.locator('.promotion-choice[aria-disabled="true"]').count()).toBe(3);
    const cut = await person.page.evaluate(() => {
      const panel = document.querySelector('.promotion-panel')?.getBoundingClientRect() ?? new DOMRect();
      return panel.left < 0 || panel.right > innerWidth;
    });
    expect(cut, size).toBe(false);
    await person.screenshot(`hints-promotion-${size}`);
    expect(await axeFindings(person), size).toEqual([]);
    await person.byTestId('promote-q').click();
    await person.page.waitForSelector('[data-square="e14"][data-piece="rQ"]');
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('the page explains once why a neighbor’s pawn cannot be captured en passant', async () => {
  const person = await playAll('passing', 'R', 'rKg1 bKa8 yKh14 gKn7 rPe2 bPd2');
  await person.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await person.byTestId('notices').getByText('Why no en passant on e3?').waitFor();
  await person.screenshot('hints-en-passant');
  expect(await axeFindings(person)).toEqual([]);
  chromium.expectNoErrors();
});

test('the rules open over the table without leaving it', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const person = await playAll(`rules-${size}`, 'R', 'rKg1 bKa8 yKh14 gKn7 rPe2 bPd2', options);
    const path = new URL(person.page.url()).pathname;
    await person.page.keyboard.press('?');
    await person.byTestId('help-rules').click();
    await person.byTestId('rules-sheet').waitFor();
    await person.page.locator('.rules-sheet .contents a').nth(2).click();
    await person.screenshot(`hints-rules-${size}`);
    expect(await axeFindings(person), size).toEqual([]);
    expect(new URL(person.page.url()).pathname).toBe(path);
    await person.page.keyboard.press('Escape');
    await person.byTestId('rules-sheet').waitFor({ state: 'detached' });
    await person.byTestId('table-rules').click();
    await person.byTestId('rules-sheet').waitFor();
    await person.page.keyboard.press('Escape');
    expect(await person.byTestId('board').first().isVisible()).toBe(true);
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('the banner is readable in every frame around the start of a turn', async () => {
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await expectSameBoards([white, black]);
  // All frames from before the start of the turn until long after it.
  await black.page.evaluate(() => {
    const seen: [string, string][] = [];
    Object.assign(globalThis, { seen });
    const look = (): void => {
      for (const name of ['.status-head', '.plate[data-mine="true"] .plate-name']) {
        const element = document.querySelector(name);
        const ground = element?.closest('.status, .plate') ?? null;
        if (element !== null && ground !== null) seen.push([getComputedStyle(element).color, getComputedStyle(ground).backgroundColor]);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.page.waitForSelector('.status[data-mine="true"]');
  await black.page.waitForFunction(
    ([count]) => (globalThis as unknown as { seen: unknown[] }).seen.length > (count ?? 0) + 60,
    [await black.page.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen.length)],
  );
  const seen = await black.page.evaluate(() => (globalThis as unknown as { seen: [string, string][] }).seen);
  expect(seen.length).toBeGreaterThan(60);
  const worst = Math.min(...seen.map(([ink, ground]) => contrast(readColor(ink), readColor(ground))));
  expect(worst).toBeGreaterThan(4.5);
  chromium.expectNoErrors();
});

test('a running delay is visible beside the clock', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const time = { kind: 'delay', base_ms: 60_000, delay_ms: 15_000 };
    const person = await playAll(`delay-${size}`, 'R', 'rKg1 bKa8 yKh14 gKn7 rPe2 bPb5 yPe13 gPm5', options, { time });
    for (const [from, to] of [['e2', 'e3'], ['b5', 'c5'], ['e13', 'e12'], ['m5', 'l5']] as const) {
      const { seq } = await person.board();
      await person.move({ from, to, promotion: undefined }, 'click');
      await person.boardAfter(seq);
    }
    await person.byTestId('delay').filter({ hasText: /^\+1[0-5]$/ }).waitFor();
    const inside = await person.page.evaluate(() => {
      const [delay, plate] = ['.delay', '.plate:has(.delay)'].map((name) => document.querySelector(name)?.getBoundingClientRect());
      return delay !== undefined && plate !== undefined && delay.right <= plate.right && delay.left >= plate.left;
    });
    expect(inside, `${size}: the delay is within its plate`).toBe(true);
    await person.screenshot(`hints-delay-${size}`);
    expect(await axeFindings(person), size).toEqual([]);
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('a move made offline is shown as pending, and is sent as soon as the page is touched', async () => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const [white, black] = [await chromium.openBrowser('white', proxy.url, PHONE), await chromium.openBrowser('black')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  proxy.cut();
  await white.page.waitForSelector('[data-testid="connection"][data-state="reconnecting"]');
  await white.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await white.byTestId('unsent').filter({ hasText: 'd2-d4 will be sent' }).waitFor();
  await white.screenshot('hints-unsent');
  const { seq } = await black.board();
  proxy.restore();
  await white.page.mouse.click(5, 5);
  const { pieces } = await expectSameBoards([white, black], seq);
  expect(pieces['d4']).toBe('wP');
  await white.byTestId('unsent').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('an eliminated player sees what happened and starts the next match with one press', async () => {
  for (const [size, options] of Object.entries(WINDOWS)) {
    const person = await chromium.openBrowser(`out-${size}`, undefined, options);
    const bots = ['blue', 'yellow', 'green'].map((seat) => ({ seat, bot: { kind: 'built_in', level: 1 } }));
    const path = await makeTable(person, { variant: 'dilkel', privacy: 'private', seat: 'red', bots });
    await person.byTestId('resign').click();
    await person.byTestId('resign-confirm').click();
    await person.byTestId('out').waitFor();
    await person.screenshot(`hints-out-${size}`);
    expect(await axeFindings(person), size).toEqual([]);
    await person.byTestId('next').click();
    await person.page.waitForFunction((old) => location.pathname.startsWith('/t/') && location.pathname !== old, path);
    await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    await person.leave();
  }
  chromium.expectNoErrors();
});

test('messages that arrive while only the board is visible are counted above it', async () => {
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black', undefined, PHONE)];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  await black.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  await white.sendMessage('good luck');
  await black.byTestId('unread-sign').waitFor();
  await black.screenshot('hints-unread');
  expect(await black.page.title()).toMatch(/^\(1\) /);
  await black.byTestId('unread-sign').click();
  await black.byTestId('chat').waitFor();
  await black.byTestId('unread-sign').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});
