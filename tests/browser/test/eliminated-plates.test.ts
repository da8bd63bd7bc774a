import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import { resignAllSeats, startOwnMatch } from '../src/own-table.ts';

const chromium = new Browsers();

/** The windows with the smallest plates, with and without lines of their own for the parts of a note. */
const WINDOWS = { 'a page at 400 %': 320, phone: 360, 'large phone': 390, tablet: 820, 'small desk': 1024, desk: 1440 };
const HEIGHT = 740;
/** The longest notes in each language. */
const LONGEST = { en: ['4th', 'Disconnected'], de: ['4.', 'Zeit abgelaufen'], es: ['4.º', 'Desconexión'] };

test.each(Object.entries(LONGEST))('the places and reasons of eliminated players are whole at any size: %s', async (locale, longest) => {
  const person = await chromium.openBrowser('player', undefined, { reducedMotion: 'reduce', locale });
  await startOwnMatch(person, { variant: 'dilkel', time: { kind: 'fischer', base_ms: 3_600_000, increment_ms: 0 } });
  await resignAllSeats(person);
  const expectWhole = async (notes: string): Promise<void> => {
    for (const [name, width] of Object.entries(WINDOWS)) {
      await person.page.setViewportSize({ width, height: HEIGHT });
      await person.page.evaluate(() => scrollTo(0, 0));
      await person.screenshot(`plates-${notes}-${locale}-${width}`);
      expect(await cutTexts(person), `${notes} on ${name}`).toEqual([]);
    }
  };
  await expectWhole('resigned');
  const changed = await person.page.evaluate((words) => {
    const notes = document.querySelectorAll('.plate[data-in="false"] .plate-note');
    for (const note of notes) for (const [index, part] of note.querySelectorAll('.plate-note-part').entries()) part.textContent = words[index] ?? '';
    return notes.length;
  }, longest);
  expect(changed).toBe(3);
  await expectWhole('longest');
  chromium.expectNoErrors();
});
