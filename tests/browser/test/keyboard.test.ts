import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';
import { COLORS, scriptedMoves, type Color, type Move } from '../src/script.ts';

const chromium = new Browsers();
const STILL = { reducedMotion: 'reduce' } as const;

/** Counts all presses of a pointer on a page. */
async function watchPointers(person: Person): Promise<void> {
  await person.page.addInitScript(() => {
    addEventListener('pointerdown', () => sessionStorage.setItem('pressed', 'yes'), true);
    addEventListener('mousedown', () => sessionStorage.setItem('pressed', 'yes'), true);
  });
  await person.goTo('/');
}

/** Focuses an element by Tab alone and presses Enter. */
async function tabTo(person: Person, testId: string): Promise<void> {
  await person.byTestId(testId).first().waitFor();
  for (let steps = 0; steps < 200; steps += 1) {
    const here = await person.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['testid']);
    if (here === testId) return person.page.keyboard.press('Enter');
    await person.page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${testId}`);
}

async function typeMove(person: Person, { from, to, promotion = '' }: Move): Promise<void> {
  await person.page.keyboard.press('/');
  await person.page.keyboard.type(`${from}${to}${promotion}`);
  await person.page.keyboard.press('Enter');
  await person.page.keyboard.press('Escape');
}

/** Returns the latest announcement to screen readers. */
function lastAnnouncement(person: Person): Promise<string> {
  return person.byTestId('announcer').locator('p').last().innerText();
}

async function asks(person: Person, question: string): Promise<string> {
  await person.page.keyboard.press('/');
  await person.page.keyboard.type(question);
  await person.page.keyboard.press('Enter');
  const answer = person.byTestId('answers').locator('.query').last();
  await answer.filter({ hasText: question }).waitFor();
  const words = await answer.innerText();
  // Closes the answers.
  await person.page.keyboard.press('Escape');
  return words;
}

test('four people play a whole match without a pointer', async () => {
  const players = new Map<Color, Person>();
  for (const color of COLORS.dilkel) {
    const person = await chromium.openBrowser(color, undefined, STILL);
    await watchPointers(person);
    players.set(color, person);
  }
  for (const person of players.values()) {
    await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
    await tabTo(person, 'quick-dilkel');
    await person.byTestId('board').waitFor();
  }
  const everybody = [...players.values()];
  await Promise.all(everybody.map((person) => person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])')));
  const seated = new Map<string, Person>();
  for (const person of everybody) {
    const plate = person.page.locator('[data-mine="true"][data-testid^="seat-"]');
    seated.set((await plate.getAttribute('data-color')) ?? '', person);
  }
  let shown = await expectSameBoards(everybody);
  const moves = scriptedMoves('dilkel', shown.turn as Color);
  for (const [ply, move] of moves.entries()) {
    const mover = seated.get(shown.turn);
    if (mover === undefined) throw new Error(`nobody plays ${shown.turn}`);
    await mover.page.waitForSelector('[data-movable]');
    if (ply % 9 === 4 && move.promotion === undefined) await mover.move(move, 'keyboard');
    else await typeMove(mover, move);
    do shown = await expectSameBoards(everybody, shown.seq);
    while (shown.turn !== '' && (await seated.get(shown.turn)?.mayMove()) !== true);
    if (ply === 0) {
      const other = seated.get(shown.turn);
      if (other === undefined) throw new Error('four play');
      expect(await lastAnnouncement(other)).toMatch(new RegExp(` ${move.from} to ${move.to}$`));
      expect(await asks(other, 'l')).toContain(`${move.from} to ${move.to}`);
      expect(await asks(other, 'p king')).toMatch(/Red: king g1[^]*Green: king n7/);
      expect(await asks(other, 's h')).toContain('File h: h1 red queen');
      expect(await asks(other, 'w')).toContain('you, to move');
      await other.screenshot('answers');
    }
  }
  for (const person of everybody) {
    expect(await person.byTestId('result').getAttribute('data-reason')).toBe('mate');
    expect(await person.page.evaluate(() => sessionStorage.getItem('pressed')), person.name).toBeNull();
  }
  chromium.expectNoErrors();
});
