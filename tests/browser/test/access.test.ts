import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { House } from '../src/house.ts';
import type { Person } from '../src/person.ts';

const house = new House();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it now is, each finding with the first place where it is. */
async function findings(person: Person): Promise<string[]> {
  // As a debugger does it: the page's own content security policy lets no script in.
  const devtools = await person.page.context().newCDPSession(person.page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  const expression = 'axe.run().then((results) => JSON.stringify(results))';
  const { result } = await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  const { violations, passes } = JSON.parse(String(result.value)) as AxeResults;
  expect(passes.length, 'axe has looked at the page').toBeGreaterThan(10);
  return violations.map((violation) => `${violation.id}: ${violation.help}: ${violation.nodes[0]?.html}`);
}

test.each(['light', 'dark'] as const)('axe finds nothing wrong with the pages when it is %s', async (colorScheme) => {
  const options = { colorScheme, reducedMotion: 'reduce' } as const;
  const host = await house.enter('host', undefined, options);
  await host.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  expect(await findings(host), 'the lobby without a table').toEqual([]);
  await host.get('new-table').click();
  expect(await findings(host), 'the dialog that makes a table').toEqual([]);
  await host.picture(`new-table-${colorScheme}`);
  await host.page.keyboard.press('Escape');
  const path = await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  expect(await findings(host), 'a table with an open seat').toEqual([]);
  const guest = await house.enter('guest', undefined, options);
  await guest.get('table-row').first().waitFor();
  expect(await findings(guest), 'the lobby').toEqual([]);
  await guest.picture(`lobby-${colorScheme}`);
  await guest.sitFromLobby(path, 'black');
  await host.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await host.square('e2').click();
  expect(await findings(host), 'a piece in hand').toEqual([]);
  await host.get('resign').click();
  await host.get('resign-confirm').click();
  await host.get('result').waitFor();
  expect(await findings(host), 'the result').toEqual([]);
  const other = await house.enter('other', undefined, options);
  await other.makeTable({ variant: 'dilkel', seat: 'green', privacy: 'private' });
  expect(await findings(other), 'a private table').toEqual([]);
  await other.picture(`private-table-${colorScheme}`);
});
