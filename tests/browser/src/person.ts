import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ROOT } from './program.ts';
import type { Color, Move, Variant } from './script.ts';

const SCREENS = process.env['SCREENS_DIR'] ?? join(ROOT, 'target/screens');

/** Maximum time for anything on a page, milliseconds. */
const PATIENCE_MS = 20_000;

/** Beginning of the console lines that report a violation of the content security policy. */
const VIOLATION = 'violates the policy:';

/** A browser's options, and a script that runs before the page's own ones. */
export interface BrowserOptions extends BrowserContextOptions {
  readonly before?: () => void;
}

/** A window on a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** Ways to make a move. */
export type InputMethod = 'click' | 'drag' | 'keyboard' | 'type';

/** Content of a board. */
export interface BoardState {
  /** The last event. */
  readonly seq: number;
  /** The color to move; empty if the match is over or has not begun. */
  readonly turn: string;
  /** The pieces by square. */
  readonly pieces: Readonly<Record<string, string>>;
}

/** Choices for a new table. */
export interface TableOptions {
  readonly variant: Variant;
  readonly seat: Color | 'none';
  readonly privacy: 'public' | 'private';
  /** Values of the rarer settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Somebody with a browser of their own: no cookies are shared. */
export class Person {
  readonly page: Page;
  readonly name: string;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** Errors that the page met. */
  readonly errors: string[];

  private constructor(name: string, url: string, context: BrowserContext, page: Page, errors: string[]) {
    this.errors = errors;
    this.name = name;
    this.page = page;
    this.#context = context;
    this.#url = url;
    page.on('pageerror', (error) => this.errors.push(`${name}: ${error.message}`));
    page.on('console', (message) => {
      if (message.text().startsWith(VIOLATION)) this.errors.push(`${name}: ${message.text()}`);
    });
  }

  /** Opens a browser window at this address. */
  static async enter(browser: Browser, name: string, url: string, { before, ...options }: BrowserOptions): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, serviceWorkers: 'block', ...options });
    await context.addInitScript(reportViolations, VIOLATION);
    if (before !== undefined) await context.addInitScript(before);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const person = new Person(name, url, context, page, []);
    await person.goTo('/');
    return person;
  }

  /** Opens another tab of the same browser; what goes wrong there counts as this one's. */
  async openTab(path: string): Promise<Person> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const tab = new Person(`${this.name}-tab`, this.#url, this.#context, page, this.errors);
    await tab.goTo(path);
    return tab;
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
  }

  /**
   * The page sleeps from now until it is woken: nothing in it runs, neither timers nor what the line brings. (Chromium
   * freezes hidden pages alone, and without a screen no page is hidden: a debugger holds it instead.)
   */
  async sleep(): Promise<() => Promise<void>> {
    const devtools = await this.#context.newCDPSession(this.page);
    const asleep = new Promise((resolve) => devtools.once('Debugger.paused', resolve));
    await devtools.send('Debugger.enable');
    await devtools.send('Debugger.pause');
    return async () => {
      await asleep;
      await devtools.send('Debugger.disable');
      await devtools.detach();
      await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    };
  }

  async leave(): Promise<void> {
    await this.#context.close();
  }

  get(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** Makes a table by the dialog of the lobby, and gives its path. */
  async makeTable(wish: TableOptions): Promise<string> {
    await this.get('new-table').click();
    await this.#choose('variant', wish.variant);
    await this.#choose('seat', wish.seat);
    await this.#choose('privacy', wish.privacy);
    if (wish.settings !== undefined) {
      await this.get('more-settings').click();
      for (const [name, value] of Object.entries(wish.settings)) await this.get(`set-${name}`).selectOption(value);
    }
    await this.get('create').click();
    await this.get('board').waitFor();
    return new URL(this.page.url()).pathname;
  }

  /** The radio button lies hidden under what one sees and presses. */
  async #choose(group: string, value: string): Promise<void> {
    await this.page.locator('label', { has: this.get(`choose-${group}-${value}`) }).click();
  }

  /** Takes a seat from the list in the lobby. */
  async sitFromLobby(path: string, color: Color): Promise<void> {
    const row = this.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`);
    await row.getByTestId(`sit-${color}`).click();
    await this.get('board').waitFor();
  }

  square(square: string): Locator {
    return this.page.locator(`[data-square="${square}"]`);
  }

  /** Opens the chat and says something. */
  async say(words: string): Promise<void> {
    await this.openChat();
    await this.get('chat-input').fill(words);
    await this.get('chat-send').click();
  }

  /** Opens the chat, if it is not the only thing to be seen in its place. */
  async openChat(): Promise<void> {
    await this.page.waitForSelector('[data-testid="tab-chat"], [data-testid="chat"]');
    if (await this.get('tab-chat').isVisible()) await this.get('tab-chat').click();
    await this.get('chat').waitFor();
  }

  /** Waits until these words stand in the chat. */
  async waitForChat(words: string): Promise<void> {
    await this.get('chat-log').getByText(words).waitFor();
  }

  /** Returns what the board shows. */
  async board(): Promise<BoardState> {
    return this.boardAfter(-1);
  }

  /**
   * Returns whether this person is offered moves: not if the turn has come only for mate to be
   * judged.
   */
  async mayMove(): Promise<boolean> {
    return (await this.page.locator('[data-movable]').count()) > 0;
  }

  /** Returns what the board shows once it shows an event beyond this one. */
  async boardAfter(seq: number): Promise<BoardState> {
    const shown = await this.page.waitForFunction((before) => {
      const board = document.querySelector<HTMLElement>('[data-testid="board"]');
      const seq = Number(board?.dataset['seq']);
      if (board === null || !(seq > before)) return null;
      const cells = [...board.querySelectorAll<HTMLElement>('[data-square][data-piece]')];
      const pieces = Object.fromEntries(cells.map((cell) => [cell.dataset['square'] ?? '', cell.dataset['piece'] ?? '']));
      return { seq, turn: board.dataset['turn'] ?? '', pieces };
    }, seq);
    const value = await shown.jsonValue();
    if (value === null) throw new Error('it is there');
    return value;
  }

  /** Makes a move; a promotion is chosen in the chooser. */
  async move({ from, to, promotion }: Move, hand: InputMethod): Promise<void> {
    if (hand === 'type') {
      await this.get('move-input').fill(`${from}${to}${promotion ?? ''}`);
      await this.page.keyboard.press('Enter');
      return;
    }
    if (hand === 'click') {
      await this.square(from).click();
      await this.square(to).click();
    } else if (hand === 'drag') {
      await this.#drag(from, to);
    } else {
      await this.#walkTo(from);
      await this.page.keyboard.press('Enter');
      await this.#walkTo(to);
      await this.page.keyboard.press('Enter');
    }
    if (promotion !== undefined) await this.get(`promote-${promotion}`).click();
  }

  async #drag(from: string, to: string): Promise<void> {
    const start = await middle(this.square(from));
    const end = await middle(this.square(to));
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Goes to a square with the arrow keys, around the corners that the cross does not have. */
  async #walkTo(square: string): Promise<void> {
    await this.page.locator('[data-square][tabindex="0"]').focus();
    for (;;) {
      const here = await this.#focused();
      if (here.square === square) return;
      const there = await this.square(square).evaluate(placeOf);
      const across = there.column > here.column ? 'ArrowRight' : 'ArrowLeft';
      const down = there.row > here.row ? 'ArrowDown' : 'ArrowUp';
      let went = false;
      for (const key of [...(there.column === here.column ? [] : [across]), ...(there.row === here.row ? [] : [down])]) {
        await this.page.keyboard.press(key);
        went = (await this.#focused()).square !== here.square;
        if (went) break;
      }
      if (!went) throw new Error(`no arrow key leads from ${here.square} to ${square}`);
    }
  }

  async #focused(): Promise<{ square: string; column: number; row: number }> {
    return this.page.locator('[data-square]:focus').evaluate(placeOf);
  }

  /** Keeps a picture of the page, once what changes gradually has become what it is to be. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENS, { recursive: true });
    await this.page.evaluate(async () => {
      // The picture is of the next frame, and what is drawn in it is asked for in the one before.
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      // One that is given up is over too.
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    });
    await this.page.screenshot({ path: join(SCREENS, `${name}.png`) });
  }
}

/** Reports what the content security policy forbids, Trusted Types included. */
function reportViolations(mark: string): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber, sample }) => {
    console.error(mark, violatedDirective, blockedURI, `${sourceFile}:${lineNumber}`, sample);
  });
}

function placeOf(cell: Element): { square: string; column: number; row: number } {
  return {
    square: (cell as HTMLElement).dataset['square'] ?? '',
    column: Number(cell.getAttribute('aria-colindex')),
    row: Number(cell.parentElement?.getAttribute('aria-rowindex')),
  };
}

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('the square is not to be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
