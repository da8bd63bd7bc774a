import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'vitest';
import type { Person } from './person.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The required contrast of text: 4.5 to 1, or 7 to 1 (WCAG 2.2, 1.4.3 and 1.4.6). With forced colors the system chooses
 * the colors of text, and computed styles do not contain them.
 */
export type Contrast = 'usual' | 'enhanced' | 'forced';

/** The rules of axe that differ from its defaults. */
const RULES = {
  usual: {},
  enhanced: { 'color-contrast-enhanced': { enabled: true } },
  forced: { 'color-contrast': { enabled: false } },
} as const;

/** Returns axe's findings on the page, each with its first element. */
export async function axeFindings(person: Person, contrast: Contrast = 'usual'): Promise<string[]> {
  // The script is added with the debugger, because the content security policy of the page forbids
  // scripts.
  const devtools = await person.page.context().newCDPSession(person.page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  const options = { rules: RULES[contrast] };
  const expression = `axe.run(${JSON.stringify(options)}).then((results) => JSON.stringify(results))`;
  const { result } = await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  await devtools.detach();
  const { violations, passes } = JSON.parse(String(result.value)) as AxeResults;
  expect(passes.length, 'axe has checked the page').toBeGreaterThan(10);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`);
}
