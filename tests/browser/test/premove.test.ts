import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE } from '../src/person.ts';
import { script } from '../src/script.ts';

const chromium = new Chromium();

test('a premove outlives what a third player does, and is played when the turn comes', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [first, second, third] = inTurn;
  if (first === undefined || second === undefined || third === undefined) throw new Error('four play');
  const beginner = (await first.board()).turn;
  const [one, two, three] = script('dilkel', beginner as 'red');
  if (one === undefined || two === undefined || three === undefined) throw new Error('the game is longer');
  await third.move(three, 'click');
  await third.get('premove').waitFor();
  expect(await third.page.locator('[data-premove]').count()).toBe(2);
  await third.screenshot('premove');
  const { seq } = await third.board();
  await first.move(one, 'click');
  await third.boardAfter(seq);
  expect(await third.page.locator('[data-premove]').count(), 'it is kept').toBe(2);
  await second.move(two, 'click');
  await first.page.waitForFunction((square) => {
    const cell = document.querySelector<HTMLElement>(`[data-square="${square}"]`);
    return cell?.dataset['piece'] !== undefined;
  }, three.to);
  await third.get('premove').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('a premove that is not legal is dropped, and said to be', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await black.move({ from: 'e7', to: 'e4', promotion: undefined }, 'drag');
  await black.get('premove').waitFor();
  await white.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await black.get('notices').getByText('e7-e4').waitFor();
  expect(await black.page.locator('[data-premove]').count()).toBe(0);
  await black.move({ from: 'e7', to: 'e5', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="e5"][data-piece="bP"]');
  // Escape gives one up.
  await black.move({ from: 'd8', to: 'h4', promotion: undefined }, 'type');
  await black.get('premove').waitFor();
  await black.page.keyboard.press('Escape');
  await black.get('premove').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('two taps hold a move that takes back where an own piece stands, and leave that piece in hand', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' }, PHONE);
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.square('d7').and(black.page.locator('[data-movable]')).waitFor();
  await black.move({ from: 'd7', to: 'd5', promotion: undefined }, 'click');
  await white.square('e4').and(white.page.locator('[data-movable]')).waitFor();
  // Another piece is taken in hand as easily as ever.
  for (const square of ['d8', 'b8', 'c6']) await black.square(square).tap();
  await black.get('premove').getByText('b8-c6').waitFor();
  for (const square of ['d8', 'd5']) await black.square(square).tap();
  await black.get('premove').getByText('d8-d5').waitFor();
  expect(await black.page.locator('[data-picked]').getAttribute('data-square')).toBe('d5');
  await black.screenshot('premove-take-back');
  await white.move({ from: 'e4', to: 'd5', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="d5"][data-piece="bQ"]');
  chromium.expectNoErrors();
});
