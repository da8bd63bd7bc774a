import { beforeAll, describe, expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import { Places, QUICK_REVIEWS } from '../src/places.ts';

const chromium = new Browsers(QUICK_REVIEWS);

const LANGUAGES = ['en', 'de', 'es'];
/** The widths of a phone, and of a page at a zoom of 400 %. */
const WIDTHS = [360, 320];
const HEIGHT = 740;

/** Expects that no text of the places is cut, in a language and at each width. */
async function expectWhole(places: Places, language: string): Promise<void> {
  const viewport = { width: Math.min(...WIDTHS), height: HEIGHT };
  const person = await chromium.openBrowser('reader', undefined, { viewport, locale: language, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  const wrong: string[] = [];
  for (const [name, visit] of Object.entries(places.visits)) {
    await visit(person);
    for (const width of WIDTHS) {
      await person.page.setViewportSize({ width, height: HEIGHT });
      await person.screenshot(`narrow-${name.replaceAll(' ', '-')}-${language}-${width}`);
      // The note below a name in a corner of the board may be shortened. Its dot says the same.
      for (const text of await cutTexts(person)) if (!text.includes('plate-note-')) wrong.push(`${name}, ${width} px: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  chromium.expectNoErrors();
}

describe('nothing is cut on a narrow page of a server without matches', () => {
  test.each(LANGUAGES)('in %s', (language) => expectWhole(Places.empty, language));
});

describe('nothing is cut on a narrow page', () => {
  let places: Places;
  beforeAll(async () => {
    places = await Places.prepare(chromium);
  }, 180_000);

  test.each(LANGUAGES)('in %s', (language) => expectWhole(places, language), 300_000);
});
