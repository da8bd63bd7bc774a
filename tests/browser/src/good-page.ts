import { expect } from 'vitest';
import { axeFindings } from './axe.ts';
import { cutTexts } from './overflow.ts';
import type { Person } from './person.ts';
import { SIZES } from './sizes.ts';

/**
 * Expects a page without cut texts, in the language of the page. In English, expects it without
 * findings of axe too, in light and dark: these do not depend on the language. Saves screenshots.
 */
export async function expectGoodPage(person: Person, name: string): Promise<void> {
  await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
  expect(await cutTexts(person), name).toEqual([]);
  if ((await person.page.getAttribute('html', 'lang')) !== 'en') {
    await person.screenshot(`${name}-light`);
    return;
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await person.screenshot(`${name}-${colorScheme}`);
    expect(await axeFindings(person), `${name} ${colorScheme}`).toEqual([]);
  }
  await person.page.emulateMedia({ colorScheme: 'light' });
}

/** Expects a good page in windows of all sizes. Then the window has its size from before. */
export async function expectGoodPageAtAllSizes(person: Person, name: string): Promise<void> {
  const before = person.page.viewportSize();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await person.page.setViewportSize(viewport);
    await person.drawn();
    await expectGoodPage(person, `${name}-${size}`);
  }
  if (before !== null) await person.page.setViewportSize(before);
}
