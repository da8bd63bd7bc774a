import { userName } from './accounts.ts';
import type { Person } from './person.ts';
import { COLORS, type Color, type Variant } from './script.ts';

/** A table of one person, in the format of `POST /api/tables` without the host's seat. */
export interface OwnTableOptions {
  readonly variant: Variant;
  readonly [field: string]: unknown;
}

/** Creates a table with a person's session and opens it. The connection may be online before the session has begun. */
export async function openTableOf(person: Person, table: OwnTableOptions): Promise<void> {
  await userName(person);
  const id = await person.page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/api/tables', { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { table: string }).table;
  }, table);
  await person.goTo(`/t/${id}`);
  await person.byTestId('board').waitFor();
}

/** Resigns at all remaining seats of a four-player match at one device, until the match ends. */
export async function resignAllSeats(person: Person): Promise<void> {
  for (let out = 1; out < COLORS.dilkel.length; out += 1) {
    const { seq } = await person.board();
    await person.byTestId('resign').click();
    await person.byTestId('resign-confirm').click();
    await person.boardAfter(seq);
  }
  await person.byTestId('result').waitFor();
}

/** Starts a private match in which one person has all seats. */
export async function startOwnMatch(person: Person, { variant, ...table }: OwnTableOptions): Promise<void> {
  const [first, ...others]: readonly Color[] = COLORS[variant];
  await openTableOf(person, { variant, privacy: 'private', hotseat: true, seat: first, ...table });
  for (const color of others) {
    await person.byTestId(`sit-${color}`).click();
    await person.page.waitForSelector(`[data-testid="seat-${color}"][data-held="true"]`);
  }
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
}
