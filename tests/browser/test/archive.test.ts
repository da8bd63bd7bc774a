import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { startOwnMatch } from '../src/own-table.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE, type Person } from '../src/person.ts';
import { COLORS } from '../src/script.ts';

const chromium = new Browsers();

const SIZES = { phone: PHONE, tablet: { viewport: { width: 820, height: 1180 } }, desk: { viewport: { width: 1440, height: 900 } } };

/** Plays a match of two moves in which Black resigns. */
async function playClassic(): Promise<{ white: Person; black: Person; path: string }> {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  let shown = await expectSameBoards([white, black]);
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  shown = await expectSameBoards([white, black], shown.seq);
  await black.move({ from: 'c7', to: 'c5', promotion: undefined }, 'click');
  await expectSameBoards([white, black], shown.seq);
  await black.byTestId('resign').click();
  await black.byTestId('resign-confirm').click();
  await black.byTestId('result').waitFor();
  return { white, black, path };
}

async function expectNothingBeside(person: Person): Promise<void> {
  const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the screen').toBeLessThanOrEqual(window ?? 0);
}

test('a match is found in the archive, replayed from a link, and listed on its players’ pages', async () => {
  const { white } = await playClassic();
  for (const [size, options] of Object.entries(SIZES)) {
    const visitor = await chromium.openBrowser(`visitor-${size}`, undefined, options);
    await visitor.goTo('/archive?variant=classic');
    const card = visitor.byTestId('match-card').first();
    await card.getByTestId('still-board').waitFor();
    expect(await card.textContent()).toContain('White wins by resignation');
    expect(await visitor.byTestId('match-card').count()).toBe(1);
    await expectNothingBeside(visitor);
    await visitor.screenshot(`archive-${size}`);

    await card.locator('.match-link').click();
    await visitor.byTestId('replay').waitFor();
    expect(await visitor.square('c5').getAttribute('data-piece')).toBe('bP');
    await visitor.page.keyboard.press('ArrowLeft');
    await visitor.page.waitForURL(/\?ply=1$/);
    expect(await visitor.square('c5').getAttribute('data-piece')).toBeNull();
    await expectNothingBeside(visitor);
    await visitor.screenshot(`replay-${size}`);

    // Another person opens the shared link.
    const friend = await chromium.openBrowser(`friend-${size}`, undefined, options);
    const { pathname, search } = new URL(await visitor.byTestId('replay-link').inputValue());
    await friend.goTo(pathname + search);
    await friend.byTestId('replay').waitFor();
    expect(await friend.byTestId('replay').getAttribute('data-ply')).toBe('1');
    expect(await friend.square('e4').getAttribute('data-piece')).toBe('wP');
    expect(await friend.square('c5').getAttribute('data-piece')).toBeNull();

    await friend.page.locator('.exports-players a').first().click();
    await friend.byTestId('standing-classic').waitFor();
    expect(await friend.byTestId('standing-classic').textContent()).toContain('1 match');
    await friend.byTestId('match-card').first().getByTestId('still-board').waitFor();
    await expectNothingBeside(friend);
    await friend.screenshot(`player-${size}`);
  }

  await white.goTo('/archive');
  await white.page.getByRole('link', { name: 'My matches', exact: true }).click();
  await white.byTestId('match-card').first().waitFor();
  await white.page.getByRole('link', { name: 'Dilkel', exact: true }).click();
  await white.page.getByText('No matching games').waitFor();
  chromium.expectNoErrors();
});

test('a replay offers downloads of the match, and the analysis of any position', async () => {
  const { white } = await playClassic();
  await white.goTo('/archive');
  await white.byTestId('match-card').first().locator('.match-link').click();
  await white.byTestId('replay').waitFor();
  const saved = await white.page.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>('[data-testid="save-notation"]');
    return (await fetch(link?.href ?? '')).text();
  });
  expect(saved).toContain('1. e4 c5');
  const drawn = await white.page.evaluate(async () => {
    const links = document.querySelectorAll<HTMLAnchorElement>('[data-testid="save-picture"], [data-testid="save-film"]');
    return Promise.all([...links].map(async ({ href }) => (await fetch(href)).headers.get('content-type')));
  });
  expect(drawn).toEqual(['image/png', 'image/gif']);
  await white.page.keyboard.press('ArrowLeft');
  await white.page.waitForURL(/\?ply=1$/);
  await white.byTestId('analyse').click();
  await white.page.waitForSelector('[data-movable]');
  await white.move({ from: 'e7', to: 'e5', promotion: undefined }, 'click');
  await white.byTestId('tree-side').waitFor();
  // The move is written in full once the server has named it.
  await expect.poll(() => white.byTestId('tree').textContent()).toBe('Start1.e4c51…e5');
  chromium.expectNoErrors();
});

test('the archive is searched by a player’s name, and the address contains the search', async () => {
  const { white } = await playClassic();
  const name = ((await white.byTestId('menu').textContent()) ?? '').trim();
  const beginning = name.slice(0, 5).trim().toUpperCase();
  const visitor = await chromium.openBrowser('visitor', undefined, SIZES.phone);
  await visitor.goTo('/archive');
  await visitor.byTestId('player').fill(beginning);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL(/[?&]player=/);
  await visitor.page.waitForSelector('[data-testid="match-list"][data-state="loaded"]');
  expect(await visitor.page.locator('.match-player').allTextContents()).toContain(name);
  await visitor.screenshot('archive-search');
  await visitor.byTestId('player').fill('nobody is called so');
  await visitor.byTestId('search').click();
  await visitor.page.getByText('No matching games.').waitFor();
  await visitor.page.goBack();
  await visitor.byTestId('match-card').first().waitFor();
  expect(await visitor.byTestId('player').inputValue()).toBe(beginning);
  chromium.expectNoErrors();
});

test('the picture of a match shows the armies of the winner and of the last loser, and an aborted match is not listed', async () => {
  const person = await chromium.openBrowser('alone', undefined, { reducedMotion: 'reduce' });
  await startOwnMatch(person, { variant: 'dilkel' });
  await person.byTestId('abort-ask').click();
  await person.byTestId('abort-confirm').click();
  await person.page.waitForSelector('[data-testid="board"][data-turn=""]');
  await startOwnMatch(person, { variant: 'dilkel' });
  const out: string[] = [];
  while (out.length < COLORS.dilkel.length - 1) {
    let { seq, turn } = await person.board();
    out.push(turn);
    await person.byTestId('resign').click();
    await person.byTestId('resign-confirm').click();
    ({ seq } = await person.boardAfter(seq));
    if (out.length === COLORS.dilkel.length - 1) break;
    // A move comes between two resignations, so that the last one alone decides the match.
    await person.page.locator('[data-movable]').first().click();
    await person.page.locator('.cell[data-target]').first().click();
    await person.boardAfter(seq);
  }
  await person.byTestId('result').waitFor();
  await person.goTo('/archive');
  await person.page.getByRole('link', { name: 'My matches', exact: true }).click();
  const card = person.byTestId('match-card');
  await card.first().getByTestId('still-board').waitFor();
  expect(await card.count(), 'the aborted match is not listed').toBe(1);
  const armies = await card.locator('.still-piece').evaluateAll((pieces) => pieces.map((piece) => piece.getAttribute('data-color') ?? ''));
  const winner = COLORS.dilkel.find((color) => !out.includes(color));
  expect([...new Set(armies)].toSorted()).toEqual([winner, out.at(-1)].toSorted());
  expect(armies).toHaveLength(32);
  chromium.expectNoErrors();
});
