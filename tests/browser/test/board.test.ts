import { expect, test } from 'vitest';
import { seatPlayers } from '../src/players.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

async function two(options = {}): Promise<readonly [Person, Person]> {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' }, options);
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  return [white, black];
}

async function go(mover: Person, from: string, to: string, seen: readonly Person[]): Promise<void> {
  await mover.square(from).and(mover.page.locator('[data-movable]')).waitFor();
  await mover.move({ from, to, promotion: undefined }, 'click');
  await Promise.all(seen.map((person) => person.page.locator(`[data-square="${to}"][data-mark="to"]`).waitFor()));
}

/** Returns the drawings on the board: `h5e8 attack`, `e2e4 green`. */
function drawn(person: Person): Promise<string[]> {
  return person.page
    .locator('.overlay [data-drawing]')
    .evaluateAll((all) => all.map((one) => `${(one as SVGElement).dataset['drawing']} ${(one as SVGElement).dataset['brush'] ?? 'attack'}`));
}

async function middleOf(person: Person, square: string): Promise<{ x: number; y: number }> {
  const box = await person.square(square).boundingBox();
  if (box === null) throw new Error(`${square} is not to be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function dragRight(person: Person, from: string, to: string): Promise<void> {
  const [start, end] = [await middleOf(person, from), await middleOf(person, to)];
  await person.page.mouse.move(start.x, start.y);
  await person.page.mouse.down({ button: 'right' });
  await person.page.mouse.move(end.x, end.y, { steps: 3 });
  await person.page.mouse.up({ button: 'right' });
}

test('arrows and rings are drawn by the right button or by key, in four colors, and removed', async () => {
  const [white] = await two();
  await dragRight(white, 'e2', 'e4');
  await white.page.keyboard.down('Shift');
  await dragRight(white, 'd5', 'd5');
  await white.page.keyboard.up('Shift');
  expect(await drawn(white)).toEqual(['e2e4 green', 'd5d5 red']);
  await white.screenshot('drawings');
  await dragRight(white, 'e2', 'e4');
  expect(await drawn(white)).toEqual(['d5d5 red']);
  await white.square('a5').click();
  expect(await drawn(white)).toEqual([]);
  await white.page.keyboard.press('b');
  const here = (await white.page.locator('[data-square]:focus').getAttribute('data-square')) ?? '';
  await white.page.keyboard.press('Alt+x');
  await white.page.keyboard.press('ArrowUp');
  await white.page.keyboard.press('Alt+x');
  const there = (await white.page.locator('[data-square]:focus').getAttribute('data-square')) ?? '';
  expect(await drawn(white)).toEqual([`${here}${there} blue`]);
  await white.page.keyboard.press('Delete');
  expect(await drawn(white)).toEqual([]);
  chromium.expectNoErrors();
});

test('a check is drawn from the attacker to the king, for everybody, until it ends', async () => {
  const [white, black] = await two();
  const both = [white, black];
  await go(white, 'e2', 'e4', both);
  await go(black, 'f7', 'f6', both);
  await go(white, 'd1', 'h5', both);
  for (const person of both) expect(await drawn(person)).toEqual(['h5e8 attack']);
  await black.screenshot('check');
  await go(black, 'g7', 'g6', both);
  for (const person of both) expect(await drawn(person)).toEqual([]);
  chromium.expectNoErrors();
});

test('a viewer of an earlier position stays there during new moves, sees their number, and returns', async () => {
  const [white, black] = await two();
  const both = [white, black];
  await go(white, 'e2', 'e4', both);
  await go(black, 'e7', 'e5', both);
  await white.page.keyboard.press('ArrowLeft');
  await white.page.keyboard.press('ArrowLeft');
  await white.byTestId('looking').and(white.page.locator('[data-ply="0"]')).waitFor();
  expect(await white.square('e2').getAttribute('data-piece')).toBe('wP');
  expect(await white.page.locator('[data-movable]').count()).toBe(0);
  await white.byTestId('move-input').fill('g1f3');
  await white.page.keyboard.press('Enter');
  await black.page.locator('[data-square="f3"][data-mark="to"]').waitFor();
  await go(black, 'b8', 'c6', [black]);
  await white.page.locator('[data-testid="to-live"][data-missed="2"]').waitFor();
  expect(await white.square('e2').getAttribute('data-piece')).toBe('wP');
  await white.screenshot('looking-back');
  await white.page.locator('.move', { hasText: 'e5' }).click();
  await white.byTestId('looking').and(white.page.locator('[data-ply="2"]')).waitFor();
  await white.page.locator('.panel').click({ position: { x: 2, y: 2 } });
  await white.page.keyboard.press('End');
  await white.square('c6').and(white.page.locator('[data-piece="bN"]')).waitFor();
  expect(await white.byTestId('looking').count()).toBe(0);
  await go(white, 'f1', 'c4', both);
  chromium.expectNoErrors();
});

test('the board turns by key and by button, with its coordinates', async () => {
  const red = await chromium.openBrowser('red');
  await red.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  const corner = (): Promise<string | null> => red.page.locator('[role="row"]').last().locator('[data-square]').first().getAttribute('data-square');
  expect(await corner()).toBe('d1');
  await red.page.keyboard.press('f');
  await red.page.locator('[data-testid="seat-blue"][data-place="bottom"]').waitFor();
  expect(await corner()).toBe('a11');
  expect(await red.square('a11').locator('.column-coordinate').getAttribute('data-label')).toBe('11');
  await red.byTestId('look-turn').click();
  await red.page.locator('[data-testid="seat-yellow"][data-place="bottom"]').waitFor();
  expect(await corner()).toBe('k14');
  await red.page.keyboard.press('?');
  await red.byTestId('keys-help').waitFor();
  await red.screenshot('keys-help');
  chromium.expectNoErrors();
});

test('on a phone a lens shows the squares under the finger and the target of the piece', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'dilkel' }, { ...PHONE, viewport: { width: 360, height: 740 } });
  const [mover] = inTurn;
  if (mover === undefined) throw new Error('four play');
  const own = mover.page.locator('[data-movable][data-piece$="P"]').first();
  await own.waitFor();
  const from = (await own.getAttribute('data-square')) ?? '';
  const devtools = await mover.page.context().newCDPSession(mover.page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }): Promise<unknown> =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
  await own.tap();
  const target = mover.page.locator('[data-target]').last();
  await target.waitFor();
  const to = (await target.getAttribute('data-square')) ?? '';
  const end = await middleOf(mover, to);
  // The finger touches the next square first and corrects the target before it is lifted.
  const missed = { x: end.x, y: end.y - 2.4 * ((await target.boundingBox())?.height ?? 0) };
  await touch('touchStart', missed);
  await mover.byTestId('lens').waitFor();
  expect(await mover.byTestId('lens').getAttribute('data-over')).not.toBe(to);
  await touch('touchMove', { x: end.x, y: end.y - 8 });
  await touch('touchMove', end);
  await mover.page.locator(`[data-testid="lens"][data-over="${to}"]`).waitFor();
  await mover.screenshot('lens');
  await touch('touchEnd');
  await mover.page.locator(`[data-square="${to}"][data-mark="to"]`).waitFor();
  expect(await mover.square(from).getAttribute('data-piece')).toBeNull();
  expect(await mover.byTestId('lens').count()).toBe(0);
  chromium.expectNoErrors();
});
