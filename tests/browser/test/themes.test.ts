import { expect, test } from 'vitest';
import { ALL_VISIONS, contrast, distance, blend, readColor, type Rgba } from '../src/colors.ts';
import { Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

/** The minimum contrast of a mark or line on the board (WCAG 2.2, 1.4.11). */
const LEAST_CONTRAST = 3;
const ARMIES = ['red', 'blue', 'yellow', 'green'] as const;

/** Returns custom properties as computed on an element with these attributes. */
async function shown(person: Person, names: readonly string[], attributes: Readonly<Record<string, string>> = {}): Promise<Rgba[]> {
  const texts = await person.page.evaluate(
    ([names, attributes]) => {
      const probe = document.createElement('i');
      for (const [name, value] of Object.entries(attributes)) probe.setAttribute(name, value);
      document.body.append(probe);
      const values = names.map((name) => {
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return values;
    },
    [names, attributes] as const,
  );
  return texts.map(readColor);
}

const one = async (person: Person, name: string, attributes = {}): Promise<Rgba> => {
  const [color] = await shown(person, [name], attributes);
  if (color === undefined) throw new Error(`nothing is called --${name}`);
  return color;
};

async function choose(person: Person, setting: string): Promise<void> {
  await person.page.locator('label', { has: person.byTestId(`choose-${setting}`) }).click();
}

test('marks and pieces stand out from the board in every theme', async () => {
  const person = await chromium.openBrowser('ada');
  await person.goTo('/settings');
  const looks = [['light', 'wood'], ['dark', 'wood'], ['light', 'slate'], ['dark', 'slate'], ['light', 'forest'], ['dark', 'forest'], ['contrast', 'slate']] as const;
  for (const [theme, board] of looks) {
    await choose(person, `theme-${theme}`);
    await choose(person, `board-${board}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme });
      for (const square of await shown(person, ['square-light', 'square-dark'])) {
        for (const mark of ['hint', 'ring', 'check-ring']) {
          const seen = blend(await one(person, mark), square);
          expect(contrast(seen, square), `${mark} on a square, ${theme} ${board} ${colorScheme}`).toBeGreaterThan(LEAST_CONTRAST);
        }
        for (const army of [...ARMIES, 'white', 'black']) {
          const outline = await one(person, 'outline', { 'data-color': army });
          expect(contrast(outline, square), `${army} on a square, ${theme} ${board} ${colorScheme}`).toBeGreaterThan(LEAST_CONTRAST);
        }
      }
      const [page, focus, text] = (await shown(person, ['page', 'focus', 'text'])) as [Rgba, Rgba, Rgba];
      expect(contrast(focus, page), `the focus, ${theme} ${colorScheme}`).toBeGreaterThan(LEAST_CONTRAST);
      expect(contrast(text, page), `text, ${theme} ${colorScheme}`).toBeGreaterThan(theme === 'contrast' ? 20 : 12);
    }
  }
});

test.each([['standard', 19], ['distinct', 25]] as const)('the armies in %s colors are distinct for all kinds of color vision', async (palette, least) => {
  const person = await chromium.openBrowser('ada');
  await person.goTo('/settings');
  await choose(person, `palette-${palette}`);
  const colors = await Promise.all(ARMIES.map((army) => one(person, 'seat', { 'data-color': army })));
  for (const vision of ALL_VISIONS) {
    for (const [index, color] of colors.entries()) {
      for (const [further, other] of colors.slice(index + 1).entries()) {
        const pair = `${ARMIES[index]} and ${ARMIES[index + 1 + further]} for a ${vision}`;
        expect(distance(color, other, vision), pair).toBeGreaterThan(least);
      }
    }
  }
});

test('settings take effect at once and persist after a reload', async () => {
  const person = await chromium.openBrowser('ada');
  await person.goTo('/settings');
  await choose(person, 'theme-dark');
  expect(contrast(await one(person, 'page'), readColor('rgb(0, 0, 0)'))).toBeLessThan(1.5);
  await choose(person, 'language-de');
  await person.page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  expect(await person.page.getAttribute('html', 'lang')).toBe('de');
  await person.byTestId('set-letters').check();
  await person.byTestId('set-coordinates').uncheck();
  await person.page.reload();
  await person.page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  await person.goTo('/');
  await person.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  const letter = person.page.locator('.piece-letter').first();
  expect(await letter.evaluate((element) => getComputedStyle(element).display)).toBe('block');
  expect(await person.page.locator('.coordinate').first().isVisible()).toBe(false);
  await person.screenshot('letters');
  chromium.expectNoErrors();
});

test('a chosen set of pieces is drawn everywhere and stays chosen', async () => {
  const person = await chromium.openBrowser('ada');
  const drawings = new Map<string, Buffer>();
  for (const set of ['standard', 'flat', 'tokens'] as const) {
    await person.goTo('/settings');
    await choose(person, `pieces-${set}`);
    for (const palette of ['standard', 'distinct'] as const) {
      await choose(person, `palette-${palette}`);
      for (const army of [...ARMIES, 'white', 'black']) {
        const [body, inner] = (await shown(person, ['seat', 'inner'], { 'data-color': army })) as [Rgba, Rgba];
        expect(contrast(body, inner), `the signs of ${army} on a token, ${palette}`).toBeGreaterThan(LEAST_CONTRAST);
      }
    }
    await person.goTo('/analysis?variant=dilkel');
    // The squares of the first file have labels, so another file is used.
    for (const square of ['d1', 'e1', 'f1', 'g1', 'h1', 'd2']) {
      drawings.set(`${set} ${square}`, await person.square(square).locator('.piece').screenshot());
    }
    await person.screenshot(`pieces-${set}`);
  }
  const pictures = [...drawings].map(([name, picture]) => [name, picture.toString('base64')] as const);
  for (const [index, [name, picture]] of pictures.entries()) {
    for (const [other, otherPicture] of pictures.slice(index + 1)) expect(picture === otherPicture, `${name} looks like ${other}`).toBe(false);
  }
  // Boards that consist of a single picture have the same shapes.
  await person.goTo('/');
  const piece = person.page.locator('.still-piece').first();
  await piece.waitFor();
  expect(await person.page.locator('.piece-shapes').getAttribute('data-set')).toBe('tokens');
  expect(await piece.getAttribute('href')).toMatch(/^#piece-[KQRBNP]$/);
  chromium.expectNoErrors();
});

/** Windows contrast themes replace the colors of a page. Without special rules, squares, marks and armies would vanish. */
test('the board keeps its squares, armies and marks with forced colors', async () => {
  const person = await chromium.openBrowser('ada');
  await person.page.emulateMedia({ forcedColors: 'active' });
  await person.goTo('/settings');
  await choose(person, 'pieces-tokens');
  await person.goTo('/analysis?variant=dilkel');
  const background = (selector: string): Promise<string> =>
    person.page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);
  await person.page.locator('.board .cell').first().waitFor();
  expect(await background('.board .cell[data-shade="light"]')).not.toBe(await background('.board .cell[data-shade="dark"]'));
  const bodies = await person.page
    .locator('.board .piece')
    .evaluateAll((pieces) => pieces.map((piece) => getComputedStyle(piece).getPropertyValue('--seat')));
  expect(new Set(bodies).size).toBe(ARMIES.length);
  await person.page.locator('.board .cell[data-movable]').first().click();
  const picked = person.page.locator('.board .cell[data-picked]');
  expect(await picked.evaluate((cell) => getComputedStyle(cell).outlineStyle)).toBe('solid');
  await person.screenshot('forced-colors');
  chromium.expectNoErrors();
});
