import { afterEach, expect, it } from 'vitest';
import type { UserView } from '../src/protocol/generated.ts';
import { chooseLanguage } from '../src/text/languages.ts';
import { nameOf } from '../src/text/name-of.ts';
import { createTableRequest, DEFAULT_CHOICES } from '../src/view/lobby/table-choices.ts';
import { hasDialog } from '../src/view/people/open-player.ts';
import { user } from './support/boards.ts';

/** Returns a user of an anonymous match, as the server shows it. */
function madeUp(name: string): UserView {
  return { id: `id-of-${name}`, name, anonymous: true };
}

afterEach(async () => {
  await chooseLanguage('en');
});

it.each([
  ['en', ['Red', 'Green', 'Host', 'Spectator']],
  ['de', ['Rot', 'Grün', 'Gastgeber', 'Zuschauer']],
  ['es', ['Rojas', 'Verdes', 'Anfitrión', 'Espectador']],
] as const)('users whose names are hidden have the name of their color in the language: %s', async (language, names) => {
  await chooseLanguage(language);
  expect(['Red', 'Green', 'Host', 'Spectator'].map((name) => nameOf(madeUp(name)))).toEqual(names);
  expect(nameOf(user('Red'))).toBe('Red');
});

it('there is no dialog about users whose names are hidden', () => {
  expect([hasDialog(madeUp('Red'), user('Ada')), hasDialog(user('Red'), user('Ada'))]).toEqual([false, true]);
});

it('only matches of more than two are requested as anonymous', () => {
  const choices = { ...DEFAULT_CHOICES, anonymous: true };
  expect(createTableRequest({ ...choices, variant: 'dilkel' }).anonymous).toBe(true);
  expect(createTableRequest({ ...choices, variant: 'classic' }).anonymous).toBeUndefined();
  expect(createTableRequest({ ...DEFAULT_CHOICES, variant: 'dilkel' }).anonymous).toBeUndefined();
});
