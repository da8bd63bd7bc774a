import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ROOT } from './program.ts';
import type { Color, Move, Variant } from './script.ts';

const SCREENS = process.env['SCREENS_DIR'] ?? join(ROOT, 'target/screens');

/** The time limit for each step on a page, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The first words of the console lines that report a violation of the content security policy. */
const VIOLATION_PREFIX = 'violates the policy:';

/** The options of a browser, with a script that runs before those of the page. */
export interface BrowserOptions extends BrowserContextOptions {
  readonly before?: () => void;
  /** True for a browser that has not asked its user for a name yet. */
  readonly isNew?: boolean;
}

/** The window of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** The ways to make a move. */
export type InputMethod = 'click' | 'drag' | 'keyboard' | 'type';

/** The displayed content of a board. */
export interface BoardState {
  /** The number of the last event. */
  readonly seq: number;
  /** The color to move; empty before and after the match. */
  readonly turn: string;
  /** The pieces by square. */
  readonly pieces: Readonly<Record<string, string>>;
}

/** The choices for a new table. */
export interface TableOptions {
  readonly variant: Variant;
  readonly seat: Color | 'none';
  readonly privacy: 'public' | 'private';
  /** The values of the rarer settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A person with a separate browser context, so that persons share no cookies. */
export class Person {
  readonly page: Page;
  readonly name: string;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** The errors of the page. */
  readonly errors: string[];

  private constructor(name: string, url: string, context: BrowserContext, page: Page, errors: string[]) {
    this.errors = errors;
    this.name = name;
    this.page = page;
    this.#context = context;
    this.#url = url;
    page.on('pageerror', (error) => this.errors.push(`${name}: ${error.message}`));
    page.on('console', (message) => {
      if (message.text().startsWith(VIOLATION_PREFIX)) this.errors.push(`${name}: ${message.text()}`);
    });
  }

  /** Opens a window at the address of a server. */
  static async open(browser: Browser, name: string, url: string, { before, isNew, ...options }: BrowserOptions): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, serviceWorkers: 'block', ...options });
    await context.addInitScript(reportViolations, VIOLATION_PREFIX);
    if (isNew !== true) await context.addInitScript(haveName);
    if (before !== undefined) await context.addInitScript(before);
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const person = new Person(name, url, context, page, []);
    await person.goTo('/');
    return person;
  }

  /** Opens another tab of the same browser. Its errors are added to this person's. */
  async openTab(path: string): Promise<Person> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const tab = new Person(`${this.name}-tab`, this.#url, this.#context, page, this.errors);
    await tab.goTo(path);
    return tab;
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
  }

  /**
   * Freezes the page until the returned function is called: neither timers nor incoming frames run.
   * Chromium freezes hidden pages only, and without a screen no page is hidden. A debugger pauses
   * the page instead.
   */
  async freeze(): Promise<() => Promise<void>> {
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

  byTestId(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** Chooses the variant on the first page. */
  async chooseGame(variant: Variant): Promise<void> {
    await this.page.locator('label', { has: this.byTestId(`game-${variant}`) }).click();
    await this.byTestId(`bots-${variant}`).waitFor();
  }

  /** Creates a table by the dialog of the lobby and returns its path. */
  async createTable(table: TableOptions): Promise<string> {
    await this.byTestId('new-table').click();
    await this.choose('variant', table.variant);
    await this.choose('seat', table.seat);
    await this.choose('privacy', table.privacy);
    if (table.settings !== undefined) {
      await this.byTestId('more-settings').click();
      for (const [name, value] of Object.entries(table.settings)) await this.byTestId(`set-${name}`).selectOption(value);
    }
    await this.byTestId('create').click();
    const nameButton = this.byTestId('name-submit');
    await this.byTestId('board').or(nameButton).first().waitFor();
    // A browser that cannot store the answer asks for a name again.
    if (await nameButton.isVisible()) await nameButton.click();
    await this.byTestId('board').waitFor();
    return new URL(this.page.url()).pathname;
  }

  /** Creates a link for one seat or for watching, as the host of a private table, and returns it. */
  async createLink(purpose: Color | 'watch'): Promise<URL> {
    await this.byTestId('other-links').click();
    await this.byTestId(`make-link-${purpose}`).click();
    const input = this.page.locator(`[data-purpose="${purpose}"]`).getByTestId(purpose === 'watch' ? 'watch-link' : 'invite-link');
    return new URL(await input.inputValue());
  }

  /** Opens a link at this server. */
  async openLink(link: URL): Promise<void> {
    await this.goTo(link.pathname + link.hash);
  }

  /** Chooses an option by its label, because the radio button is hidden. */
  async choose(group: string, value: string): Promise<void> {
    await this.page.locator('label', { has: this.byTestId(`choose-${group}-${value}`) }).click();
  }

  /** Takes a seat by the list in the lobby. */
  async sitFromLobby(path: string, color: Color): Promise<void> {
    const row = this.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`);
    await row.getByTestId(`sit-${color}`).click();
    await this.byTestId('board').waitFor();
  }

  square(square: string): Locator {
    return this.page.locator(`[data-square="${square}"]`);
  }

  /** Opens the chat and sends a message. */
  async sendMessage(words: string): Promise<void> {
    await this.openChat();
    await this.byTestId('chat-input').fill(words);
    await this.byTestId('chat-send').click();
  }

  /** Opens the tab of the chat, if there are tabs. */
  async openChat(): Promise<void> {
    await this.page.waitForSelector('[data-testid="tab-chat"], [data-testid="chat"]');
    if (await this.byTestId('tab-chat').isVisible()) await this.byTestId('tab-chat').click();
    await this.byTestId('chat').waitFor();
  }

  /** Waits until a text is in the chat. */
  async waitForChat(words: string): Promise<void> {
    await this.byTestId('chat-log').getByText(words).waitFor();
  }

  /** Returns the displayed board. */
  async board(): Promise<BoardState> {
    return this.boardAfter(-1);
  }

  /**
   * Returns whether the board offers moves. It offers none if the player to move is mated and about
   * to be eliminated.
   */
  async mayMove(): Promise<boolean> {
    return (await this.page.locator('[data-movable]').count()) > 0;
  }

  /** Returns the displayed board once it shows a later event than this one. */
  async boardAfter(seq: number): Promise<BoardState> {
    const shown = await this.page.waitForFunction((before) => {
      const board = document.querySelector<HTMLElement>('[data-testid="board"]');
      const seq = Number(board?.dataset['seq']);
      // The board may already show a later event than the rest of the page.
      if (board === null || board.ariaBusy === 'true' || !(seq > before) || (board.dataset['boardSeq'] ?? board.dataset['seq']) !== board.dataset['seq']) return null;
      const cells = [...board.querySelectorAll<HTMLElement>('[data-square][data-piece]')];
      const pieces = Object.fromEntries(cells.map((cell) => [cell.dataset['square'] ?? '', cell.dataset['piece'] ?? '']));
      return { seq, turn: board.dataset['turn'] ?? '', pieces };
    }, seq);
    const value = await shown.jsonValue();
    if (value === null) throw new Error('it is there');
    return value;
  }

  /** Makes a move, including the choice of a promotion. */
  async move({ from, to, promotion }: Move, method: InputMethod): Promise<void> {
    if (method === 'type') {
      await this.byTestId('move-input').fill(`${from}${to}${promotion ?? ''}`);
      await this.page.keyboard.press('Enter');
      return;
    }
    if (method === 'click') {
      await this.square(from).click();
      await this.square(to).click();
    } else if (method === 'drag') {
      await this.#drag(from, to);
    } else {
      await this.#focusSquare(from);
      await this.page.keyboard.press('Enter');
      await this.#focusSquare(to);
      await this.page.keyboard.press('Enter');
    }
    if (promotion !== undefined) await this.byTestId(`promote-${promotion}`).click();
  }

  async #drag(from: string, to: string): Promise<void> {
    const start = await middle(this.square(from));
    const end = await middle(this.square(to));
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Focuses a square by the arrow keys, around the cut-out corners of the cross. */
  async #focusSquare(square: string): Promise<void> {
    await this.page.locator('[data-square][tabindex="0"]').focus();
    for (;;) {
      const here = await this.#focused();
      if (here.square === square) return;
      const there = await this.square(square).evaluate(positionOf);
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
    return this.page.locator('[data-square]:focus').evaluate(positionOf);
  }

  /** Waits until the page is laid out and drawn, for example after a change of its size. */
  async drawn(): Promise<void> {
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }

  /** Saves a screenshot of the page after its transitions have finished. */
  async screenshot(name: string, options: { fullPage?: boolean } = {}): Promise<void> {
    mkdirSync(SCREENS, { recursive: true });
    // A screenshot shows the next frame, whose content is requested in the frame before.
    await this.drawn();
    await this.page.evaluate(async () => {
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      // A canceled transition has finished too.
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    });
    await this.page.screenshot({ ...options, path: join(SCREENS, `${name}.png`) });
  }
}

/** Marks the question for a name as answered in a browser. */
function haveName(): void {
  try {
    localStorage.setItem('quadrex.name', 'chosen');
  } catch {
    // A browser without storage asks again on each page.
  }
}

/** Logs each violation of the content security policy, including Trusted Types. */
function reportViolations(mark: string): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber, sample }) => {
    console.error(mark, violatedDirective, blockedURI, `${sourceFile}:${lineNumber}`, sample);
  });
}

function positionOf(cell: Element): { square: string; column: number; row: number } {
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
