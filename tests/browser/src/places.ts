import type { Browsers } from './browsers.ts';
import { openTableOf, resignAllSeats, startOwnMatch } from './own-table.ts';
import type { Person } from './person.ts';
import { seatPlayers } from './players.ts';
import { ScriptedClients } from './scripted-clients.ts';
import { scriptedMoves } from './script.ts';

/** Leads a person from any page to a page, a dialog or a state of a page, and waits until it is loaded. */
export type Visit = (person: Person) => Promise<void>;

/** Settings with which a review takes seconds. */
export const QUICK_REVIEWS = '[reviews]\nnodes = 200\nautomatic = false\n';

/** A position in which Black is in check. */
const CHECK = '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1';

/** The pages and dialogs that everybody can open without a match. */
const FIRST_VISITS: Readonly<Record<string, Visit>> = {
  'the empty first page': (person) => open(person, '/', '.showcase[data-kind] svg'),
};

/** The pages and dialogs, each with the way there. Dialogs close when another page is opened. */
const VISITS: Readonly<Record<string, Visit>> = {
  'the first page': (person) => open(person, '/', '[data-testid="table-row"]'),
  'the dialog for a new table': async (person) => {
    await open(person, '/', '[data-testid="new-table"]');
    await person.byTestId('new-table').click();
    await person.byTestId('more-settings').click();
  },
  'the name dialog': async (person) => {
    await open(person, '/', '[data-testid="connection"][data-state="online"]');
    await person.page.evaluate(() => localStorage.removeItem('quadrex.name'));
    await person.byTestId('quick-dilkel').click();
    await person.byTestId('name-input').waitFor();
  },
  'the archive': (person) => open(person, '/archive', '[data-testid="match-card"] [data-testid="still-board"]'),
  'the leaderboard': (person) => open(person, '/ratings', '[data-testid="leaderboard-empty"]'),
  'the analysis': (person) => open(person, '/analysis?variant=dilkel', '[data-testid="board"]'),
  'the rules': (person) => open(person, '/rules', 'main h1'),
  'a lesson': async (person) => {
    await open(person, '/rules', '[data-testid="lesson-classic"]');
    await person.byTestId('lesson-classic').click();
    await person.page.locator('.lesson').first().waitFor();
  },
  'the settings': (person) => open(person, '/settings', '[data-testid="session"]'),
  'the page for signing in': async (person) => {
    await open(person, '/sign-in', '[data-testid="sign-in"]');
    await person.byTestId('with-key').click();
  },
  'the page for a new account': (person) => open(person, '/sign-up', '[data-testid="sign-up"]'),
  'a missing page': (person) => open(person, '/nothing/here', 'main h1'),
  'the invite with its code': async (person) => {
    await openTableOf(person, { variant: 'dilkel', privacy: 'private', seat: 'red' });
    await person.byTestId('qr-invite').click();
    await person.byTestId('qr-code').waitFor();
  },
  'a match at one device': (person) => startOwnMatch(person, { variant: 'dilkel' }),
  'a match at one device after its end': resignAllSeats,
  'the help about keys': async (person) => {
    await startOwnMatch(person, { variant: 'classic', setup: CHECK });
    await person.page.keyboard.press('?');
    await person.byTestId('keys-help').waitFor();
  },
  'the rules over a table': async (person) => {
    await person.byTestId('help-rules').click();
    await person.page.locator('.sheet .chapter').first().waitFor();
  },
  'zen mode': async (person) => {
    await person.page.keyboard.press('Escape');
    await person.page.locator('dialog').waitFor({ state: 'detached' });
    await person.page.keyboard.press('z');
    await person.byTestId('zen-leave').waitFor();
  },
  'the table after the end': async (person) => {
    await person.byTestId('zen-leave').click();
    await person.byTestId('resign').click();
    await person.byTestId('resign-confirm').click();
    await person.byTestId('result').waitFor();
  },
  'the share card': async (person) => {
    await person.byTestId('to-replay').click();
    await person.byTestId('create-share').waitFor();
  },
  'the call bar': async (person) => {
    const bots = [{ seat: 'black', bot: { kind: 'built_in', level: 1 } }];
    await openTableOf(person, { variant: 'classic', privacy: 'private', seat: 'white', seating: 'chosen', bots });
    await open(person, '/settings', '[data-testid="call"][data-kind="move"]');
  },
};

/** The pages of a server, each with the way there. */
export class Places {
  /** The places by name, in an order in which each may be reached from the one before it. */
  readonly visits: Readonly<Record<string, Visit>>;

  private constructor(visits: Readonly<Record<string, Visit>>) {
    this.visits = visits;
  }

  /** The places on a server without tables and matches. */
  static readonly empty = new Places(FIRST_VISITS);

  /** Plays and reviews a match, and starts and opens tables. */
  static async prepare(chromium: Browsers): Promise<Places> {
    const clients = await ScriptedClients.seatPlayers(chromium, 'classic');
    for (const move of scriptedMoves('classic', await clients.firstPlayer())) await clients.move(move);
    const host = await chromium.openBrowser('host');
    const openTable = await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
    const { path: runningTable } = await seatPlayers(chromium, { variant: 'dilkel' });
    await host.goTo('/archive?variant=classic');
    await host.byTestId('match-card').first().locator('.match-link').click();
    await host.byTestId('request-review').click();
    await host.page.waitForSelector('[data-testid="review"][data-state="done"]', { timeout: 60_000 });
    const match = new URL(host.page.url()).pathname;
    const user = (await host.page.locator('.exports-players a').first().getAttribute('href')) ?? '';
    return new Places({
      ...VISITS,
      'an open table': (person) => open(person, openTable, '[data-testid="board"]'),
      'a table as a spectator': (person) => open(person, runningTable, '[data-testid="board"]'),
      'the review': async (person) => {
        await open(person, match, '[data-testid="review"][data-state="done"]');
        await person.byTestId('review').scrollIntoViewIfNeeded();
      },
      'the page of a player': (person) => open(person, user, '[data-testid="match-card"]'),
    });
  }
}

async function open(person: Person, path: string, ready: string): Promise<void> {
  await person.goTo(path);
  await person.page.locator(ready).first().waitFor();
  await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
}
