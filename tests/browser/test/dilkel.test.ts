import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { PHONE, type InputMethod, type Person } from '../src/person.ts';
import { COLORS, scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers();

/** Animations are off, because six pages share two cores. */
const STILL = { reducedMotion: 'reduce' } as const;
const DESK = { viewport: { width: 1440, height: 900 } } as const;
const RUNNING = '[data-testid="board"]:not([data-turn=""])';

/** The way to make each move: mostly clicks, some drags, typed moves and arrow keys. */
function handFor(ply: number): InputMethod {
  if (ply % 13 === 5) return 'keyboard';
  if (ply % 7 === 3) return 'drag';
  return ply % 11 === 8 ? 'type' : 'click';
}

test('four people on four browsers play a dilkel match to its winner', async () => {
  const players = new Map<Color, Person>();
  for (const color of COLORS.dilkel) players.set(color, await chromium.openBrowser(color, undefined, STILL));
  const at = (color: string): Person => {
    const person = players.get(color as Color);
    if (person === undefined) throw new Error(`nobody plays ${color}`);
    return person;
  };
  const path = await at('red').createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  for (const color of ['blue', 'yellow', 'green'] as const) await at(color).sitFromLobby(path, color);
  const watching = await chromium.openBrowser('desk', undefined, { ...STILL, ...DESK });
  await watching.goTo(path);
  const everybody = [...players.values(), watching];
  await Promise.all(everybody.map((person) => person.page.waitForSelector(RUNNING)));

  let shown = await expectSameBoards(everybody);
  const moves = scriptedMoves('dilkel', shown.turn as Color);
  for (const [ply, move] of moves.entries()) {
    if (ply === Math.floor(moves.length / 2)) {
      // The screenshots begin in the middle of the match; those of two players are in the README.
      const late = await chromium.openBrowser('phone', undefined, { ...STILL, ...PHONE });
      await late.goTo(path);
      everybody.push(late);
      await expectSameBoards(everybody);
      for (const person of everybody) await person.screenshot(`dilkel-middle-${person.name}`);
    }
    await at(shown.turn).move(move, move.promotion === undefined ? handFor(ply) : 'click');
    do shown = await expectSameBoards(everybody, shown.seq);
    while (shown.turn !== '' && !(await at(shown.turn).mayMove()));
  }

  for (const person of everybody) {
    await person.byTestId('result').waitFor();
    expect(await person.byTestId('result').getAttribute('data-reason')).toBe('mate');
    const places = await person.page.locator('[data-testid="result"] li').evaluateAll((rows) =>
      rows.map((row) => (row as HTMLElement).dataset['place']),
    );
    expect(places).toEqual(['1', '2', '3', '4']);
    const [above, below] = await person.byTestId('moves').evaluate((list) => [list.scrollTop, list.scrollHeight - list.scrollTop - list.clientHeight]);
    expect(above, 'more moves than fit').toBeGreaterThan(0);
    expect(below, 'the last move is visible').toBeLessThan(2);
    await person.screenshot(`dilkel-end-${person.name}`);
  }
  chromium.expectNoErrors();
});
