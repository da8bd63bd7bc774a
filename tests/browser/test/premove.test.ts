import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE } from '../src/person.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

test('a premove survives a third player’s moves, and is played on its turn', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [first, second, third] = inTurn;
  if (first === undefined || second === undefined || third === undefined) throw new Error('four play');
  const beginner = (await first.board()).turn;
  const [one, two, three] = scriptedMoves('dilkel', beginner as 'red');
  if (one === undefined || two === undefined || three === undefined) throw new Error('the game is longer');
  await third.move(three, 'click');
  await third.byTestId('premove').waitFor();
  expect(await third.page.locator('[data-premove]').count()).toBe(2);
  await third.screenshot('premove');
  const { seq } = await third.board();
  await first.move(one, 'click');
  await third.boardAfter(seq);
  expect(await third.page.locator('[data-premove]').count(), 'the premove stays').toBe(2);
  await second.move(two, 'click');
  await first.page.waitForFunction((square) => {
    const cell = document.querySelector<HTMLElement>(`[data-square="${square}"]`);
    return cell?.dataset['piece'] !== undefined;
  }, three.to);
  await third.byTestId('premove').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('an illegal premove is dropped with a notice', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await black.move({ from: 'e7', to: 'e4', promotion: undefined }, 'drag');
  await black.byTestId('premove').waitFor();
  await white.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await black.byTestId('notices').getByText('e7-e4').waitFor();
  expect(await black.page.locator('[data-premove]').count()).toBe(0);
  await black.move({ from: 'e7', to: 'e5', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="e5"][data-piece="bP"]');
  // Escape cancels a premove.
  await black.move({ from: 'd8', to: 'h4', promotion: undefined }, 'type');
  await black.byTestId('premove').waitFor();
  await black.page.keyboard.press('Escape');
  await black.byTestId('premove').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('two taps premove a recapture onto an own piece, or pick that piece', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' }, PHONE);
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.square('d7').and(black.page.locator('[data-movable]')).waitFor();
  await black.move({ from: 'd7', to: 'd5', promotion: undefined }, 'click');
  await white.square('e4').and(white.page.locator('[data-movable]')).waitFor();
  // Another piece can be picked as usual.
  for (const square of ['d8', 'b8', 'c6']) await black.square(square).tap();
  await black.byTestId('premove').getByText('b8-c6').waitFor();
  for (const square of ['d8', 'd5']) await black.square(square).tap();
  await black.byTestId('premove').getByText('d8-d5').waitFor();
  expect(await black.page.locator('[data-picked]').getAttribute('data-square')).toBe('d5');
  await black.screenshot('premove-take-back');
  await white.move({ from: 'e4', to: 'd5', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="d5"][data-piece="bQ"]');
  chromium.expectNoErrors();
});
