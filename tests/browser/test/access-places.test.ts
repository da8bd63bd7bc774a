import { beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE } from '../src/person.ts';
import { Places, QUICK_REVIEWS } from '../src/places.ts';

const chromium = new Browsers(QUICK_REVIEWS);

/** The looks of the pages at each size. Forced colors are those of Windows contrast themes. */
const LOOKS = {
  phone: [
    { colorScheme: 'light', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'active' },
  ],
  desk: [{ colorScheme: 'light', forcedColors: 'active' }],
} as const;
const SIZES = { phone: PHONE, desk: { viewport: { width: 1440, height: 900 } } };

describe('axe finds no errors on any page or dialog in any look', () => {
  let places: Places;
  beforeAll(async () => {
    places = await Places.prepare(chromium);
  }, 180_000);

  test.each(['phone', 'desk'] as const)(
    'on a %s',
    async (size) => {
      const person = await chromium.openBrowser(size, undefined, { ...SIZES[size], reducedMotion: 'reduce' });
      const found: string[] = [];
      for (const [name, visit] of Object.entries(places.visits)) {
        await visit(person);
        for (const media of LOOKS[size]) {
          const isForced = media.forcedColors === 'active';
          const look = `${media.colorScheme}${isForced ? '-forced' : ''}`;
          await person.page.emulateMedia({ ...media, reducedMotion: 'reduce' });
          // The screenshot waits for the transitions between the looks.
          await person.screenshot(`access-${size}-${name.replaceAll(' ', '-')}-${look}`);
          for (const finding of await axeFindings(person, isForced ? 'forced' : 'usual')) found.push(`${name}, ${look}: ${finding}`);
        }
      }
      expect(found).toEqual([]);
      chromium.expectNoErrors();
    },
    300_000,
  );
});
