import { expect, test } from 'vitest';
import { contrast, blend, readColor } from '../src/colors.ts';
import { Browsers } from '../src/browsers.ts';
import { openTableOf } from '../src/own-table.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

const SMALL = { ...PHONE, viewport: { width: 360, height: 740 } };

async function choose(person: Person, setting: string): Promise<void> {
  await person.page.locator('label', { has: person.byTestId(`choose-${setting}`) }).click();
}

test('all controls have the font of the page', async () => {
  const person = await chromium.openBrowser('ada');
  const fonts = (): Promise<string[]> =>
    person.page.evaluate(() => {
      const page = getComputedStyle(document.body).fontFamily;
      const controls = [...document.querySelectorAll('button, input, textarea:not(#set-setup), select, option, dialog, summary')];
      return controls.filter((control) => getComputedStyle(control).fontFamily !== page).map((control) => control.outerHTML.slice(0, 80));
    });
  expect(await fonts()).toEqual([]);
  await person.byTestId('new-table').click();
  await person.byTestId('more-settings').click();
  expect(await person.page.locator('dialog select').count()).toBeGreaterThan(0);
  expect(await fonts()).toEqual([]);
  await person.goTo('/settings');
  expect(await fonts()).toEqual([]);
  chromium.expectNoErrors();
});

test('a lamp is faint until it is lit', async () => {
  const person = await chromium.openBrowser('ada', undefined, { viewport: { width: 1440, height: 900 } });
  await openTableOf(person, { variant: 'classic', privacy: 'private', hotseat: true, seat: 'white', setup: '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1' });
  await person.byTestId('sit-black').click();
  await person.page.waitForSelector('[data-testid="board"][data-turn="black"]');
  const lamp = person.byTestId('seat-black').getByTestId('indicator-check');
  const contrastOf = (): Promise<number> =>
    lamp
      .evaluate((element) => {
        const [own, plate] = [getComputedStyle(element), getComputedStyle(element.closest('.plate') ?? element)];
        return [own.color, own.backgroundColor, plate.backgroundColor];
      })
      .then(([color = '', own = '', plate = '']) => {
        const behind = blend(readColor(own), readColor(plate));
        return contrast(blend(readColor(color), behind), behind);
      });
  expect(await lamp.getAttribute('data-lit')).toBe('true');
  expect(await contrastOf()).toBeGreaterThan(4.5);
  await person.move({ from: 'e8', to: 'd8', promotion: undefined }, 'click');
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  expect(await lamp.getAttribute('data-lit')).toBe('false');
  await expect.poll(contrastOf).toBeLessThan(2.5);
  await person.screenshot('lamps');
  chromium.expectNoErrors();
});

/** White takes a pawn, a knight, a bishop, a rook and a queen. */
const TAKES_ALL = ['a1a2', 'a2b2', 'b2c2', 'c2d2', 'd2e2'] as const;

test('a narrow plate shows all kinds of captured pieces', async () => {
  for (const locale of ['en', 'de', 'es']) {
    const person = await chromium.openBrowser(`ada-${locale}`, undefined, { ...SMALL, locale });
    const setup = '7k/8/8/8/8/7p/pnbrq2p/R6K w - - 0 1';
    await openTableOf(person, { variant: 'classic', privacy: 'private', hotseat: true, seat: 'white', setup, time: { kind: 'fischer', base_ms: 3_600_000, increment_ms: 0 } });
    await person.byTestId('sit-black').click();
    for (const [index, move] of TAKES_ALL.entries()) {
      await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
      await person.move({ from: move.slice(0, 2), to: move.slice(2), promotion: undefined }, 'click');
      await person.page.waitForSelector('[data-testid="board"][data-turn="black"]');
      if (index < TAKES_ALL.length - 1) await person.move({ from: index % 2 === 0 ? 'h8' : 'g8', to: index % 2 === 0 ? 'g8' : 'h8', promotion: undefined }, 'click');
    }
    const captured = person.byTestId('seat-white').getByTestId('captured-white');
    await expect.poll(() => captured.locator('.captured-kind').count()).toBe(TAKES_ALL.length);
    const cut = await captured.evaluate((box) => {
      const outer = box.getBoundingClientRect();
      const plate = (box.closest('.plate') ?? box).getBoundingClientRect();
      const kinds = [...box.querySelectorAll('.captured-kind')].map((kind) => kind.getBoundingClientRect());
      const isWithin = (kind: DOMRect, around: DOMRect): boolean =>
        kind.left >= around.left && kind.right <= around.right + 0.5 && kind.top >= around.top - 0.5 && kind.bottom <= around.bottom + 0.5;
      return kinds.filter((kind) => !isWithin(kind, outer) || !isWithin(kind, plate)).length;
    });
    await person.screenshot(`captured-narrow-${locale}`);
    expect(cut, `${locale}: pieces that are cut off`).toBe(0);
    await person.leave();
  }
  chromium.expectNoErrors();
});

const BOARDS = { desk: { viewport: { width: 1440, height: 900 } }, tablet: { viewport: { width: 820, height: 1180 } }, low: { viewport: { width: 1100, height: 690 } } };

test.each(Object.entries(BOARDS))('no coordinate lies on a piece: %s', async (size, options) => {
  const person = await chromium.openBrowser(`ada-${size}`, undefined, options);
  for (const set of ['standard', 'flat', 'tokens']) {
    await person.goTo('/settings');
    await choose(person, `pieces-${set}`);
    for (const variant of ['dilkel', 'classic']) {
      await person.goTo(`/analysis?variant=${variant}`);
      await person.page.locator('.coordinate').first().waitFor();
      const covered = await person.page.evaluate(() => {
        const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        probe.setAttribute('viewBox', '0 0 45 45');
        probe.style.cssText = 'position:absolute;opacity:0;width:45px;height:45px;stroke-width:1.6';
        document.body.append(probe);
        const isInked = (role: string, points: DOMPoint[]): boolean =>
          [...document.querySelectorAll(`#piece-${role} path`)].some((path) => {
            const copy = path.cloneNode() as SVGGeometryElement;
            probe.append(copy);
            return points.some((point) => copy.isPointInFill(point) || copy.isPointInStroke(point));
          });
        return [...document.querySelectorAll<HTMLElement>('.coordinate')].flatMap((label) => {
          const cell = label.closest<HTMLElement>('.cell');
          const piece = cell?.querySelector('.piece')?.getBoundingClientRect();
          if (cell === null || piece === undefined) return [];
          const box = label.getBoundingClientRect();
          const scale = 45 / piece.width;
          // Digits and letters fill the middle of their line.
          const [top, bottom] = [box.top + 0.15 * box.height, box.bottom - 0.15 * box.height];
          const points = [];
          for (let x = 0; x <= 4; x += 1) {
            for (let y = 0; y <= 4; y += 1) {
              points.push(new DOMPoint((box.left + (x / 4) * box.width - piece.left) * scale, (top + (y / 4) * (bottom - top) - piece.top) * scale));
            }
          }
          const role = cell.dataset['piece']?.charAt(1) ?? '';
          return isInked(role, points) ? [`${cell.dataset['square']} ${role}`] : [];
        });
      });
      expect(covered, `${set} ${variant}`).toEqual([]);
    }
  }
  await person.goTo('/analysis?variant=dilkel');
  await person.screenshot(`coordinates-${size}`);
  chromium.expectNoErrors();
});

test('squares that are too small for coordinates have none', async () => {
  const person = await chromium.openBrowser('ada', undefined, SMALL);
  await person.goTo('/analysis?variant=dilkel');
  const coordinate = person.page.locator('.coordinate').first();
  await coordinate.waitFor({ state: 'attached' });
  expect(await coordinate.isVisible()).toBe(false);
  await person.goTo('/analysis?variant=classic');
  await coordinate.waitFor();
  expect(await coordinate.isVisible()).toBe(true);
  chromium.expectNoErrors();
});

test('the headline of a page without an emblem begins where its text does', async () => {
  const person = await chromium.openBrowser('ada', undefined, { viewport: { width: 1440, height: 900 } });
  await person.goTo('/analysis?variant=dilkel');
  const status = person.page.locator('.status');
  await status.waitFor();
  const [start, headline] = await status.evaluate((banner) => {
    const head = banner.querySelector('.status-head')?.getBoundingClientRect();
    return [banner.getBoundingClientRect().left, head?.left ?? 0] as const;
  });
  expect(headline - start).toBeLessThan(30);
  await person.screenshot('headline-analysis');
  chromium.expectNoErrors();
});

test.each([['desk', 1440, 900], ['tablet', 820, 1180]] as const)('the emblem of the banner is beside the middle of its text: %s', async (size, width, height) => {
  const person = await chromium.openBrowser('ada', undefined, { viewport: { width, height } });
  for (const variant of ['dilkel', 'classic'] as const) {
    await openTableOf(person, { variant, privacy: 'private' });
    const [emblem, text] = await person.page.locator('.status').evaluate((banner) => {
      const middle = (top: number, bottom: number): number => (top + bottom) / 2;
      const box = banner.querySelector('.emblem')?.getBoundingClientRect();
      const [head, below] = ['.status-head > span', '.status-text'].map((part) => banner.querySelector(part)?.getBoundingClientRect());
      if (box === undefined || head === undefined || below === undefined) throw new Error('a banner has all three');
      return [middle(box.top, box.bottom), middle(head.top, below.bottom)] as const;
    });
    await person.screenshot(`emblem-${variant}-${size}`);
    expect(Math.abs(emblem - text), `${variant}: pixels between the middles`).toBeLessThanOrEqual(3);
  }
  chromium.expectNoErrors();
});

const SIZES = { small: SMALL, tablet: { viewport: { width: 820, height: 1180 } }, desk: { viewport: { width: 1440, height: 900 } } };

test.each(Object.entries(SIZES))('the question about a move covers neither the board nor a plate: %s', async (size, options) => {
  const person = await chromium.openBrowser(`ada-${size}`, undefined, options);
  await person.goTo('/settings');
  await person.byTestId('set-confirm').check();
  await openTableOf(person, { variant: 'classic', privacy: 'private', hotseat: true, seat: 'white' });
  await person.byTestId('sit-black').click();
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await person.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await person.page.locator('.confirm-move').waitFor();
  await person.screenshot(`confirm-${size}`);
  const covered = await person.page.evaluate(() => {
    const question = document.querySelector('.confirm-move')?.getBoundingClientRect();
    return [...document.querySelectorAll('.plate, .board')].filter((element) => {
      const box = element.getBoundingClientRect();
      return question !== undefined && question.top < box.bottom && question.bottom > box.top && question.left < box.right && question.right > box.left;
    }).length;
  });
  expect(covered).toBe(0);
  chromium.expectNoErrors();
});

test.each(['en', 'de', 'es'])('every word of the settings fits into its box on a narrow phone: %s', async (locale) => {
  const person = await chromium.openBrowser('ada', undefined, { ...SMALL, locale });
  await person.goTo('/settings');
  await person.byTestId('choose-pieces-flat').waitFor({ state: 'attached' });
  const burst = await person.page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>('.option-face, .switch, .button')];
    return boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent);
  });
  expect(burst).toEqual([]);
  expect(await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await person.screenshot(`settings-narrow-${locale}`);
  chromium.expectNoErrors();
});

test.each(['en', 'de', 'es'])('every word of the dialog for a new table fits into its box on a narrow phone: %s', async (locale) => {
  const person = await chromium.openBrowser('ada', undefined, { ...SMALL, locale });
  await person.byTestId('new-table').click();
  await choose(person, 'clock-custom');
  await person.byTestId('more-settings').click();
  for (const variant of ['dilkel', 'classic']) {
    await choose(person, `variant-${variant}`);
    const burst = await person.page.evaluate(() => {
      const dialog = document.querySelector('dialog');
      const boxes = [...(dialog?.querySelectorAll<HTMLElement>('.option-face, .button, label, legend, summary, select') ?? [])];
      return boxes
        .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && getComputedStyle(box).display !== 'inline')
        .map((box) => box.textContent);
    });
    expect(burst, variant).toEqual([]);
  }
  await person.page.locator('dialog .option').nth(10).scrollIntoViewIfNeeded();
  await person.screenshot(`new-table-narrow-${locale}`);
  chromium.expectNoErrors();
});
