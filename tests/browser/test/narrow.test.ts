import { beforeAll, describe, expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import { Places, QUICK_REVIEWS } from '../src/places.ts';

const chromium = new Browsers(QUICK_REVIEWS);

const LANGUAGES = ['en', 'de', 'es'];
const WIDTHS = { phone: 360, 'a page at 400 %': 320 };
const HEIGHT = 740;
const CASES = LANGUAGES.flatMap((language) => Object.entries(WIDTHS).map(([size, width]) => [language, size, width] as const));

/** Expects that no text of the places is cut, in a language and at a width. */
async function expectWhole(places: Places, language: string, width: number): Promise<void> {
  const person = await chromium.openBrowser('reader', undefined, { viewport: { width, height: HEIGHT }, locale: language, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  const wrong: string[] = [];
  for (const [name, visit] of Object.entries(places.visits)) {
    await visit(person);
    await person.screenshot(`narrow-${name.replaceAll(' ', '-')}-${language}-${width}`);
    // The note below a name in a corner of the board may be shortened. Its dot says the same.
    for (const text of await cutTexts(person)) if (!text.includes('plate-note-text')) wrong.push(`${name}: ${text}`);
  }
  expect(wrong).toEqual([]);
  chromium.expectNoErrors();
}

describe('nothing is cut on a narrow page of a server without matches', () => {
  test.each(CASES)('in %s, on %s', (language, _size, width) => expectWhole(Places.empty, language, width));
});

describe('nothing is cut on a narrow page', () => {
  let places: Places;
  beforeAll(async () => {
    places = await Places.prepare(chromium);
  }, 180_000);

  test.each(CASES)('in %s, on %s', (language, _size, width) => expectWhole(places, language, width), 300_000);
});
