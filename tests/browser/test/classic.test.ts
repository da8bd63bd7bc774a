import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

async function seated(): Promise<{ white: Person; black: Person }> {
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  return { white, black };
}

test('two people play classic to mate', async () => {
  const { white, black } = await seated();
  let shown = await expectSameBoards([white, black]);
  for (const [ply, move] of scriptedMoves('classic', 'white').entries()) {
    const mover = ply % 2 === 0 ? white : black;
    await mover.move(move, ply % 6 === 5 && move.promotion === undefined ? 'drag' : 'click');
    shown = await expectSameBoards([white, black], shown.seq);
  }
  for (const person of [white, black]) {
    await person.byTestId('result').waitFor();
    expect(await person.byTestId('result').getAttribute('data-reason')).toBe('mate');
    await person.screenshot(`classic-end-${person.name}`);
  }
  chromium.expectNoErrors();
});

test('resigning asks for confirmation', async () => {
  const { white, black } = await seated();
  await white.byTestId('resign').click();
  await white.byTestId('resign-confirm').waitFor();
  await white.page.keyboard.press('Escape');
  await white.byTestId('resign-confirm').waitFor({ state: 'detached' });
  expect((await black.board()).turn).toBe('white');
  await white.byTestId('resign').click();
  await white.screenshot('classic-resign');
  await white.byTestId('resign-confirm').click();
  for (const person of [white, black]) {
    await person.byTestId('result').waitFor();
    expect(await person.byTestId('result').getAttribute('data-reason')).toBe('resign');
  }
  chromium.expectNoErrors();
});

test('a draw is offered, declined, offered again and agreed', async () => {
  const { white, black } = await seated();
  await white.byTestId('draw-ask').click();
  await black.byTestId('draw-decline').click();
  await white.page.waitForSelector('[data-testid="draw-ask"]:enabled');
  const { seq } = await expectSameBoards([white, black]);
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.boardAfter(seq);
  await black.byTestId('draw-ask').click();
  await white.byTestId('draw-accept').click();
  for (const person of [white, black]) {
    await person.byTestId('result').waitFor();
    expect(await person.byTestId('result').getAttribute('data-reason')).toBe('agreement');
  }
  chromium.expectNoErrors();
});
