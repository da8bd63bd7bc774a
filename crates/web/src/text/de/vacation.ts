import type { Catalogue } from '../index.ts';
import { day, dayAndMonth, number } from './amounts.ts';

/** Der Urlaub. */
export const vacation: Catalogue['vacation'] = {
  title: 'Urlaub',
  hint: 'Im Urlaub stehen deine Uhren in Fernpartien still.',
  left: (count) => (count === 1 ? 'Du hast dieses Jahr noch 1 Tag.' : `Du hast dieses Jahr noch ${number(count)} Tage.`),
  noneLeft: 'Du hast alle Urlaubstage dieses Jahres verbraucht.',
  duration: 'Tage',
  start: 'Urlaub beginnen',
  on: (until_ms) => `Du hast Urlaub bis ${day(until_ms)}.`,
  endHint: 'Angebrochene Tage zählen, mindestens einer.',
  end: 'Urlaub beenden',
  until: (until_ms) => `Zurück ${dayAndMonth(until_ms)}`,
};
