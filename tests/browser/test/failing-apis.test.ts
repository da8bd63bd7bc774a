import { describe, expect, test } from 'vitest';
import { seatPlayers } from '../src/players.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

const STORAGE: readonly (readonly [string, () => void, boolean])[] = [
  [
    'refused to the page',
    () => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } }),
    false,
  ],
  ['null, as in some web views', () => Object.defineProperty(window, 'localStorage', { value: null }), false],
  ['full', () => { Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); }; }, false],
  ['unreadable', () => { Storage.prototype.getItem = () => { throw new DOMException('no', 'InvalidStateError'); }; }, true],
  [
    'refused to the tab',
    () => Object.defineProperty(window, 'sessionStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } }),
    true,
  ],
];

/** Plays the first move at a new table against a player with a normal browser. */
async function playsOn(person: Person): Promise<void> {
  const path = await person.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  const other = await chromium.openBrowser('other');
  await other.sitFromLobby(path, 'black');
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  const { seq } = await person.board();
  await person.move({ from: 'e2', to: 'e4', promotion: undefined }, 'drag');
  const { pieces } = await expectSameBoards([person, other], seq);
  expect(pieces['e4']).toBe('wP');
}

describe('storage that is', () => {
  test.each(STORAGE)('%s: the page works, and shows what it cannot store', async (_, before, lasts) => {
    const person = await chromium.openBrowser('forgetful', undefined, { before });
    await person.page.waitForSelector('main h1');
    await playsOn(person);
    await person.goTo('/settings');
    const hint = person.page.locator('.page-head p');
    await hint.waitFor();
    expect(await hint.innerText()).toContain(lasts ? 'saved in this browser' : 'lost when you close it');
    await person.page.locator('label', { has: person.page.locator('[data-testid="set-letters"]') }).click();
    await person.page.waitForSelector('html[data-letters="shown"]');
    await person.page.click('.brand');
    await person.page.waitForSelector('html[data-letters="shown"]');
    await person.goTo('/analysis');
    await person.byTestId('board').waitFor();
    chromium.expectNoErrors();
  });

  test('refused to a tab with a link to a private table: the page asks for the link again', async () => {
    const host = await chromium.openBrowser('host');
    await host.createTable({ variant: 'classic', seat: 'white', privacy: 'private' });
    const link = await host.createLink('watch');
    const before = STORAGE.at(-1)?.[1];
    if (before === undefined) throw new Error('there is a last one');
    const guest = await chromium.openBrowser('guest', undefined, { before });
    await guest.goTo(link.pathname + link.hash);
    await guest.byTestId('board').waitFor();
    await guest.byTestId('notices').filter({ hasText: 'Save the link' }).waitFor();
    await guest.screenshot('storage-link');
    chromium.expectNoErrors();
  });
});

test('without cookies the page can be watched, shows why nobody can play, and creates no series of guests', async () => {
  const host = await chromium.openBrowser('host');
  const path = await host.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  const person = await chromium.openBrowser('cookieless', 'about:blank#', {});
  let asked = 0;
  await person.page.route('**/api/session', async (route) => {
    asked += 1;
    const answer = await route.fetch();
    const { 'set-cookie': _, ...headers } = answer.headers();
    // The page's own requests set the cookies of the browser.
    await person.page.context().clearCookies();
    await route.fulfill({ response: answer, headers });
  });
  await person.page.goto(chromium.server.url + path);
  await person.byTestId('board').waitFor();
  await person.byTestId('notices').filter({ hasText: 'Cookies are blocked' }).waitFor();
  await person.screenshot('no-cookies');
  await person.page.reload();
  await person.byTestId('notices').filter({ hasText: 'Cookies are blocked' }).waitFor();
  expect(asked, 'once a visit').toBe(2);
  chromium.expectNoErrors();
});

/** The browser's interfaces that the client uses, each replaced by a failing one. */
const FAILING: Readonly<Record<string, () => void>> = {
  matchMedia: () => { window.matchMedia = () => { throw new TypeError('no'); }; },
  AudioContext: () => Object.assign(window, { AudioContext: class { constructor() { throw new DOMException('no', 'NotSupportedError'); } } }),
  Notification: () => Object.defineProperty(window, 'Notification', { get: () => { throw new TypeError('no'); } }),
  serviceWorker: () => Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => { throw new DOMException('no', 'SecurityError'); } }),
  clipboard: () => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => { throw new TypeError('no'); } });
    document.execCommand = () => { throw new TypeError('no'); };
  },
  languages: () => Object.defineProperty(Navigator.prototype, 'languages', { value: undefined }),
  IntersectionObserver: () => { Reflect.deleteProperty(window, 'IntersectionObserver'); },
  ResizeObserver: () => { Reflect.deleteProperty(window, 'ResizeObserver'); },
  animate: () => { Reflect.deleteProperty(Element.prototype, 'animate'); },
  showModal: () => { Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal'); },
  popover: () => { Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover'); },
  history: () => {
    History.prototype.replaceState = () => { throw new DOMException('no', 'SecurityError'); };
    History.prototype.pushState = () => { throw new DOMException('no', 'SecurityError'); };
  },
  trustedTypes: () => { Reflect.deleteProperty(window, 'trustedTypes'); },
};

test.each(Object.keys(FAILING))('where the browser fails at %s a match is played, watched and copied', async (name) => {
  const before = FAILING[name];
  if (before === undefined) throw new Error('it is one of them');
  const person = await chromium.openBrowser('poor', undefined, { before });
  await playsOn(person);
  await person.byTestId('menu').click();
  await person.byTestId('menu-handover').click();
  await person.page.locator('dialog .copy-link button').click();
  await person.page.locator('dialog .icon-button').click();
  await person.page.waitForSelector('dialog', { state: 'detached' });
  await person.page.click('.brand');
  await person.page.waitForSelector('main h1');
  chromium.expectNoErrors();
});

/** The constructor as in Chrome on Android, on a hidden page. */
function asOnAndroid(): void {
  class Illegal {
    static readonly permission = 'granted';
    static readonly requestPermission = (): Promise<string> => Promise.resolve('granted');
    constructor() {
      throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
    }
  }
  Object.defineProperty(window, 'Notification', { value: Illegal });
}

describe('if the constructor of notifications throws', () => {
  test('they come from the service worker', async () => {
    const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' }, { serviceWorkers: 'allow', permissions: ['notifications'], before: asOnAndroid });
    const [white, black] = inTurn;
    if (white === undefined || black === undefined) throw new Error('two play');
    await black.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await black.page.click('.gear');
    await black.byTestId('set-notify').check({ force: true });
    await black.page.keyboard.press('Escape');
    await black.page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    const { seq } = await white.board();
    await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
    await expectSameBoards([white, black], seq);
    const shown = await black.page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const [first] = (await registration?.getNotifications()) ?? [];
      return first === undefined ? null : { title: first.title, path: (first.data as { path: string }).path };
    });
    expect(await shown.jsonValue()).toEqual({ title: 'Your move', path });
    // The notification closes when the page is visible.
    await black.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await black.page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return (await registration?.getNotifications())?.length === 0;
    });
    chromium.expectNoErrors();
  });

  test('the switch is missing without a service worker', async () => {
    const person = await chromium.openBrowser('ada', undefined, { before: asOnAndroid });
    await person.goTo('/settings');
    await person.byTestId('set-sound').waitFor({ state: 'attached' });
    // The page has asked the browser the same question before, so the answer is known.
    expect(await person.page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found === undefined))).toBe(true);
    expect(await person.byTestId('set-notify').count()).toBe(0);
    chromium.expectNoErrors();
  });
});

describe('a second finger while a piece is dragged', () => {
  /** Sends touches of two fingers by the DevTools protocol, each with its own id. */
  async function fingers(person: Person): Promise<(type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number; id: number }[]) => Promise<void>> {
    const devtools = await person.page.context().newCDPSession(person.page);
    return async (type, ...touchPoints) => void (await devtools.send('Input.dispatchTouchEvent', { type, touchPoints }));
  }

  async function middle(person: Person, square: string): Promise<{ x: number; y: number }> {
    const box = await person.square(square).boundingBox();
    if (box === null) throw new Error(`${square} is not to be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async function expectAllAtHome(person: Person): Promise<void> {
    const astray = await person.page.evaluate(() =>
      [...document.querySelectorAll<SVGElement>('.board .piece')].filter((piece) => piece.classList.contains('dragged') || piece.style.transform !== '').length,
    );
    expect(astray).toBe(0);
  }

  test.each([['own turn', 'white'], ['premove', 'black']] as const)('leaves no piece off its square: %s', async (_, who) => {
    const { inTurn, players } = await seatPlayers(chromium, { variant: 'classic' }, PHONE);
    const person = players.get(who);
    if (person === undefined || inTurn.length !== 2) throw new Error('two play');
    const [from, to, beside] = who === 'white' ? ['e2', 'e4', 'd2'] : ['e7', 'e5', 'd7'];
    const [start, end, other] = [await middle(person, from), await middle(person, to), await middle(person, beside)];
    const touch = await fingers(person);
    await touch('touchStart', { ...start, id: 0 });
    await touch('touchMove', { x: start.x, y: (start.y + end.y) / 2, id: 0 });
    await person.page.waitForSelector('.piece.dragged');
    await touch('touchStart', { x: start.x, y: (start.y + end.y) / 2, id: 0 }, { ...other, id: 1 });
    await touch('touchMove', { ...end, id: 0 }, { ...other, id: 1 });
    await person.screenshot(`two-fingers-${who}`);
    await touch('touchEnd');
    const pawn = person.square(to).and(person.page.locator('[data-piece], [data-premove]'));
    const kept = person.square(from).and(person.page.locator('[data-piece]'));
    await pawn.or(kept).first().waitFor();
    await expectAllAtHome(person);
    chromium.expectNoErrors();
  });
});
