import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE } from '../src/person.ts';

const chromium = new Browsers();

test('a lesson is played by keyboard: another legal move is rejected, the right one continues', async () => {
  const person = await chromium.openBrowser('reader', undefined, { reducedMotion: 'reduce' });
  await person.goTo('/rules/castling');
  const lesson = person.byTestId('lesson-castling');
  await lesson.scrollIntoViewIfNeeded();
  const board = lesson.getByRole('grid', { name: 'Short and long, Board' });
  await board.waitFor();
  await board.locator('[tabindex="0"]').focus();
  // Goes from d1 to the king on g1, and from there the long way.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'ArrowRight', 'ArrowRight', 'Enter']) await person.page.keyboard.press(key);
  await lesson.locator('.field-error:visible').getByText('Legal, but').waitFor();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter', 'ArrowLeft', 'ArrowLeft']) await person.page.keyboard.press(key);
  expect(await axeFindings(person), 'a piece in hand').toEqual([]);
  await person.page.keyboard.press('Enter');
  await lesson.locator('.lesson-correct:visible').waitFor();
  expect(await lesson.getAttribute('data-step')).toBe('1');
  await person.screenshot('lesson-played');
  chromium.expectNoErrors();
});

test('a lesson is played by finger with a promotion, and nothing else moves', async () => {
  const person = await chromium.openBrowser('reader', undefined, { ...PHONE, reducedMotion: 'reduce' });
  await person.goTo('/rules/pawns');
  const lesson = person.byTestId('lesson-promotion');
  await lesson.scrollIntoViewIfNeeded();
  await lesson.getByRole('grid').waitFor();
  const button = lesson.getByTestId('lesson-next');
  const before = await button.boundingBox();
  const tap = (square: string): Promise<void> => lesson.locator(`[data-square="${square}"]`).tap();
  await tap('b10');
  await tap('a11');
  await person.screenshot('lesson-promotion');
  await lesson.getByTestId('promote-n').tap();
  await lesson.locator('.lesson-correct:visible').waitFor();
  expect(await button.boundingBox()).toEqual({ ...before, width: (await button.boundingBox())?.width });
  chromium.expectNoErrors();
});
