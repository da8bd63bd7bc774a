import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

/** The scale factors of common screens and zooms. */
const SCALES = [1, 1.1, 1.25, 1.5, 2, 2.625] as const;
/** Windows in which the squares of the boards have sizes with fractions of a pixel. */
const WINDOWS = [[360, 740], [391, 844], [823, 1180], [1003, 701], [1283, 811], [1440, 900]] as const;

/** Hides everything on the boards but their squares. The policy of the page allows no style elements. */
async function hidePieces(person: Person): Promise<void> {
  await person.page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.piece, .coordinate, .overlay, .still-piece, .still-mark, .still-check, .edge, .plate { visibility: hidden !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
}

/** A board on a page. */
interface BoardOnPage {
  readonly path: string;
  readonly selector: string;
  /** The number of columns and rows. */
  readonly size: number;
  /** The size of the cut-out corners, in squares. */
  readonly corner: number;
}

const BOARDS: readonly BoardOnPage[] = [
  { path: '/analysis?variant=dilkel', selector: '.board', size: 14, corner: 3 },
  { path: '/analysis?variant=classic', selector: '.board', size: 8, corner: 0 },
  { path: '/', selector: '.showcase-board svg', size: 14, corner: 3 },
];

/**
 * Returns the pixels of a board whose color is neither the color of a square nor between the colors of the squares. A line
 * of pixels is read through the middle of each row and each column, from its first to its last square.
 */
async function foreignPixels(person: Person, board: BoardOnPage): Promise<string[]> {
  const shot = await person.page.screenshot();
  return person.page.evaluate(
    async ([png, { selector, size, corner }]) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.codePointAt(0) ?? 0);
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      const box = document.querySelector(selector)?.getBoundingClientRect();
      if (context === null || box === undefined) throw new Error('no board');
      if (box.top < 0 || box.bottom > innerHeight) throw new Error('the board is not in the window as a whole');
      context.drawImage(image, 0, 0);
      const scale = image.width / innerWidth;
      const square = (box.width / size) * scale;
      const [left, top] = [box.left * scale, box.top * scale];
      const middle = (index: number): number => Math.floor((index + 0.5) * square);
      // The colors of two squares beside each other.
      const colors = [size / 2, size / 2 + 1].map((column) => context.getImageData(left + middle(column), top + middle(size / 2), 1, 1).data);
      const [low, high] = [Math.min, Math.max].map((choose) => [0, 1, 2].map((channel) => choose(...colors.map((color) => color[channel] ?? 0)))) as [number[], number[]];
      if (low.every((value, channel) => value === high[channel])) throw new Error('the squares have one color');
      const found: string[] = [];
      for (let index = 0; index < size; index += 1) {
        // A line through a cut-out corner is shorter.
        const cut = index < corner || index >= size - corner ? corner : 0;
        const [start, end] = [Math.ceil(cut * square) + 3, Math.floor((size - cut) * square) - 3];
        for (const line of ['row', 'column']) {
          const { data } = line === 'row' ? context.getImageData(left + start, top + middle(index), end - start, 1) : context.getImageData(left + middle(index), top + start, 1, end - start);
          for (let pixel = 0; pixel < end - start; pixel += 1) {
            const color = [...data.slice(4 * pixel, 4 * pixel + 3)];
            if (color.some((value, channel) => value < (low[channel] ?? 0) - 2 || value > (high[channel] ?? 0) + 2)) {
              found.push(`${line} ${index}, square ${((start + pixel) / square).toFixed(2)}: ${color.join()} between ${low.join()} and ${high.join()}`);
            }
          }
        }
      }
      return found;
    },
    [shot.toString('base64'), board] as const,
  );
}

test.each(SCALES)('no line appears between squares at a scale of %s', async (deviceScaleFactor) => {
  const person = await chromium.openBrowser('viewer', undefined, { deviceScaleFactor, colorScheme: 'dark', reducedMotion: 'reduce' });
  const wrong: string[] = [];
  for (const board of BOARDS) {
    await person.goTo(board.path);
    await person.page.locator(board.selector).waitFor();
    await hidePieces(person);
    for (const [width, height] of WINDOWS) {
      await person.page.setViewportSize({ width, height });
      await person.page.locator(board.selector).evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const found = await foreignPixels(person, board);
      if (found.length > 0) wrong.push(`${board.path} ${width} x ${height}: ${found.length} pixels, such as ${found[0]}`);
    }
    await person.screenshot(`hairlines-${board.size}-${deviceScaleFactor}`);
  }
  expect(wrong).toEqual([]);
});
