import { expect, test } from 'vitest';
import { expectSameBoards, House } from '../src/house.ts';
import { gather } from '../src/company.ts';

const house = new House();

test('a move is taken back once the other allows it', async () => {
  const { inTurn } = await gather(house, { variant: 'classic' });
  const [white, black] = [inTurn[0], inTurn[1]];
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.square('e7').and(black.page.locator('[data-movable]')).waitFor();
  await white.get('takeback-ask').click();
  await black.get('takeback-accept').waitFor();
  await black.picture('takeback-asked');
  const { seq } = await white.board();
  await black.get('takeback-accept').click();
  const { pieces, turn } = await expectSameBoards([white, black], seq);
  expect([pieces['e2'], pieces['e4'], turn]).toEqual(['wP', undefined, 'white']);
  await white.square('e2').and(white.page.locator('[data-movable]')).waitFor();
  house.expectNoErrors();
});
