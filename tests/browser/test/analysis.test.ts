import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { PHONE, type InputMethod, type Person } from '../src/person.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

async function open(name: string, search: string, options = {}): Promise<Person> {
  const person = await chromium.openBrowser(name, undefined, options);
  await person.goTo(`/analysis${search}`);
  await ready(person);
  return person;
}

/** Waits until the server has explored the current node. */
async function ready(person: Person): Promise<void> {
  await person.page.waitForSelector('[data-testid="analysis"][data-busy="false"] [data-movable]');
}

const tree = async (person: Person): Promise<string | null> => person.byTestId('tree').textContent();

async function expectNothingBeside(person: Person): Promise<void> {
  const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the screen').toBeLessThanOrEqual(window ?? 0);
}

test('moves of all four colors are played by mouse, keyboard and typing; a reload restores them', async () => {
  const person = await open('alone', '');
  const hands: readonly InputMethod[] = ['click', 'drag', 'keyboard', 'type'];
  for (const [ply, move] of scriptedMoves('dilkel', 'red').slice(0, 8).entries()) {
    await person.move(move, hands[ply % hands.length] ?? 'click');
    await person.page.waitForFunction((made) => document.querySelectorAll('[data-testid="tree-move"]').length === made, ply + 1);
    await ready(person);
  }
  const tried = await tree(person);
  expect(tried).toMatch(/^Start1\..*2\./);
  await person.byTestId('walk-start').click();
  await person.page.keyboard.press('ArrowRight');
  await ready(person);
  expect(await person.byTestId('status').textContent()).toContain('Blue to move');
  await person.page.reload();
  await ready(person);
  expect(await tree(person)).toBe(tried);
  expect(await person.byTestId('status').textContent()).toContain('Blue to move');
  await person.screenshot('analysis-desk');
  chromium.expectNoErrors();
});

test('a side line is played in the middle, promoted, and shared by a link', async () => {
  const person = await open('alone', '?variant=classic&moves=e2e4-e7e5-g1f3', PHONE);
  expect(await tree(person)).toBe('Start1.e4e52.Nf3');
  await person.byTestId('walk-back').tap();
  await ready(person);
  await person.square('f2').tap();
  await person.square('f4').tap();
  await person.byTestId('tree-side').waitFor();
  await ready(person);
  expect(await tree(person)).toBe('Start1.e4e52.Nf32.f4');
  await person.byTestId('promote-line').tap();
  expect(await tree(person)).toBe('Start1.e4e52.f42.Nf3');
  await expectNothingBeside(person);
  await person.screenshot('analysis-phone');
  const { pathname, search } = new URL(await person.byTestId('share').inputValue());
  await person.byTestId('show-line').tap();
  await person.byTestId('notation').waitFor();
  expect(await person.byTestId('notation').inputValue()).toContain('1. e4 e5 2. f4');

  const friend = await chromium.openBrowser('friend', undefined, { viewport: { width: 820, height: 1180 } });
  await friend.goTo(pathname + search);
  await ready(friend);
  expect(await tree(friend)).toBe('Start1.e4e52.f4');
  expect(await friend.byTestId('fen').inputValue()).toBe(await person.byTestId('fen').inputValue());
  await expectNothingBeside(friend);
  await friend.screenshot('analysis-tablet');
  chromium.expectNoErrors();
});

test('a pasted text is imported, or kept with the error and its position', async () => {
  const person = await open('alone', '?variant=classic');
  await person.byTestId('paste').fill('[White "Ada"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 Nc6 0-1');
  await person.byTestId('read').click();
  await person.page.waitForFunction(() => document.querySelectorAll('[data-testid="tree-move"]').length === 4);
  expect(await person.byTestId('seat-white').textContent()).toContain('Ada');
  expect(await person.byTestId('import-notes').textContent()).toContain('0-1');

  const nonsense = 'rnbqkbnr/ppp/8 w - - 0 1';
  await person.byTestId('paste').fill(nonsense);
  await person.byTestId('read').click();
  await person.page.waitForFunction(() => document.querySelector('[data-testid="paste-wrong"]')?.textContent !== '');
  expect(await person.byTestId('paste').inputValue()).toBe(nonsense);
  expect(await person.byTestId('tree-move').count()).toBe(4);
  await person.screenshot('analysis-wrong');

  await person.page.setInputFiles('[data-testid="open-file"]', {
    name: 'game.pgn',
    mimeType: 'text/plain',
    buffer: Buffer.from('1. d4 d5 2. c4 *'),
  });
  await person.page.waitForFunction(() => document.querySelectorAll('[data-testid="tree-move"]').length === 3);
  expect(await tree(person)).toBe('Start1.d4d52.c4');
  chromium.expectNoErrors();
});

test('a promotion asks for the piece', async () => {
  const person = await open('alone', '?variant=classic&fen=8/4P2k/8/8/8/8/4P3/K7+w+-+-+0+1');
  await person.square('e7').click();
  await person.square('e8').click();
  await person.byTestId('promote-n').click();
  await person.page.waitForSelector('[data-square="e8"][data-piece="wN"]');
  await ready(person);
  expect(await tree(person)).toBe('Start1.e8=N');
  chromium.expectNoErrors();
});

test('on a slow network the last position stays, and the next moves are correct', async () => {
  const person = await open('alone', '?variant=classic');
  const held: (() => Promise<void>)[] = [];
  await person.page.route('**/api/explore', (route) => void held.push(() => route.continue()));
  await person.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await person.page.waitForSelector('[data-testid="analysis"][data-busy="true"]');
  expect(await person.square('e4').getAttribute('data-piece')).toBe('wP');
  await person.page.keyboard.press('Escape');
  await person.byTestId('walk-back').click();
  await person.page.waitForSelector('[data-square="e2"][data-movable]');
  await person.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await person.page.waitForFunction(() => document.querySelectorAll('[data-testid="tree-move"]').length === 2);
  // The request about the first move was canceled; its answer arrives after the second one.
  for (const go of held.toReversed()) await go().catch(() => undefined);
  await person.page.unroute('**/api/explore');
  await ready(person);
  expect(await person.square('d4').getAttribute('data-piece')).toBe('wP');
  expect(await person.square('e2').getAttribute('data-piece')).toBe('wP');
  expect(await person.byTestId('status').textContent()).toContain('Black to move');
  chromium.expectNoErrors();
});
