import { expect } from 'vitest';
import { axeFindings } from './axe.ts';
import { cutTexts } from './overflow.ts';
import type { Person } from './person.ts';

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
