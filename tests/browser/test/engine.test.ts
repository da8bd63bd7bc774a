import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { seatPlayers } from '../src/players.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';
import { scriptedMoves, type Color, type Variant } from '../src/script.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';

const chromium = new Browsers();

const SIZES = { phone: PHONE, tablet: { viewport: { width: 820, height: 1180 } }, desk: { viewport: { width: 1440, height: 900 } } };

/** Plays some moves of a match that spectators may replay, and returns its players. */
async function play(variant: Variant, plies: number): Promise<readonly Person[]> {
  const { players, inTurn } = await seatPlayers(chromium, { variant });
  let shown = await expectSameBoards(inTurn);
  for (const move of scriptedMoves(variant, shown.turn as Color).slice(0, plies)) {
    await players.get(shown.turn as Color)?.move(move, 'type');
    shown = await expectSameBoards(inTurn, shown.seq);
  }
  return inTurn;
}

/** Waits until the engine has analysed the current position. */
async function analysisShown(person: Person): Promise<void> {
  await person.page.waitForSelector('[data-testid="engine"][data-state="done"]', { timeout: 60_000 });
}

async function expectNothingBeside(person: Person): Promise<void> {
  const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the screen').toBeLessThanOrEqual(window ?? 0);
}

test.each([
  ['classic', 6],
  ['dilkel', 9],
] as const)('the replay of a match of %s shows chances and best moves, and nothing jumps for them', async (variant, plies) => {
  await play(variant, plies);
  for (const [size, options] of Object.entries(SIZES)) {
    const visitor = await chromium.openBrowser(`visitor-${size}`, undefined, { ...options, reducedMotion: 'reduce' });
    const match = await visitor.page.evaluate(async (wanted) => {
      const list = (await (await fetch(`/api/matches?variant=${wanted}&limit=1`)).json()) as { matches: { match: string }[] };
      return list.matches[0]?.match;
    }, variant);
    await visitor.goTo(`/m/${match}?ply=${plies - 2}`);
    await visitor.byTestId('replay').waitFor();
    await visitor.page.locator('label', { has: visitor.byTestId('set-engine') }).click();
    await visitor.byTestId('score-bar').waitFor();
    await observeLayoutShifts(visitor);
    await analysisShown(visitor);
    expect(await visitor.byTestId('engine-line').count()).toBe(3);
    expect(await visitor.page.locator('.overlay .hint').count()).toBe(1);
    expect(await visitor.page.locator('.score-share').count()).toBe(variant === 'classic' ? 2 : 4);
    await visitor.page.keyboard.press('ArrowLeft');
    await visitor.page.waitForURL(new RegExp(`ply=${plies - 3}$`));
    await visitor.page.waitForSelector('[data-testid="engine"][data-state="searching"]');
    await analysisShown(visitor);
    expect(await layoutShifts(visitor), size).toEqual([]);
    await expectNothingBeside(visitor);
    expect(await axeFindings(visitor)).toEqual([]);
    await visitor.screenshot(`engine-${variant}-${size}`);
  }
  chromium.expectNoErrors();
});

test('a line of the engine leads from a replay to the analysis, also in German and the dark theme', async () => {
  await play('classic', 4);
  const visitor = await chromium.openBrowser('visitor', undefined, { ...PHONE, locale: 'de-DE', colorScheme: 'dark' });
  const match = await visitor.page.evaluate(async () => {
    const list = (await (await fetch('/api/matches?variant=classic&limit=1')).json()) as { matches: { match: string }[] };
    return list.matches[0]?.match;
  });
  await visitor.goTo(`/m/${match}?ply=2`);
  await visitor.byTestId('replay').waitFor();
  await visitor.byTestId('set-engine').focus();
  await visitor.page.keyboard.press('Space');
  await analysisShown(visitor);
  const second = visitor.byTestId('engine-line').first().getByTestId('engine-move').nth(1);
  const words = (await visitor.byTestId('engine-line').first().getByTestId('engine-move').allTextContents()).slice(0, 2);
  await second.focus();
  await visitor.page.keyboard.press('Enter');
  await visitor.byTestId('analysis').waitFor();
  // The switch is remembered, and the line of the link was played.
  await analysisShown(visitor);
  expect(await visitor.page.locator('[data-testid="tree-move"][aria-current]').textContent()).toBe(words[1]);
  const moves = await visitor.byTestId('tree-move').count();
  await visitor.byTestId('engine-line').nth(1).getByTestId('engine-move').first().tap();
  await visitor.page.waitForFunction((before) => document.querySelectorAll('[data-testid="tree-move"]').length === before + 1, moves);
  await analysisShown(visitor);
  expect(await axeFindings(visitor)).toEqual([]);
  await expectNothingBeside(visitor);
  await visitor.screenshot('engine-analysis-dark');
  chromium.expectNoErrors();
});

test('a player is refused the engine’s help', async () => {
  const [white] = await play('classic', 1);
  if (white === undefined) throw new Error('two play');
  await white.goTo('/analysis?variant=classic');
  await white.page.locator('label', { has: white.byTestId('set-engine') }).click();
  await white.byTestId('engine-error').waitFor();
  expect(await white.byTestId('engine-error').textContent()).toContain('You play a match of classic');
  expect(await white.byTestId('engine-again').count()).toBe(0);
  await white.screenshot('engine-playing');
  await white.goTo('/analysis?variant=dilkel');
  await analysisShown(white);
  chromium.expectNoErrors();
});
