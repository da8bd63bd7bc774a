import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

/** Bedingte Züge in Fernpartien. */
export const conditional: Catalogue['conditional'] = {
  title: 'Bedingte Züge',
  hint: 'Plane deine Antworten. Sobald die anderen die erwarteten Züge machen, wird deiner sofort gespielt. Nur du kannst sie sehen.',
  add: 'Variante hinzufügen',
  ownTurn: 'Mach erst deinen Zug, dann plane die Antworten.',
  remove: 'Diese Variante entfernen',
  step: (color, move) => `${colors[color]}: ${move ?? 'beliebiger Zug'}`,
  planned: (count) => (count === 1 ? '1 Variante' : `${count} Varianten`),
  played: (count) => (count === 1 ? '1 Zug wurde für dich gespielt' : `${count} Züge wurden für dich gespielt`),
  editor: 'Neue Variante',
  expect: (color) => `Welchen Zug erwartest du von ${colors[color]}?`,
  reply: 'Deine Antwort?',
  saveHint: 'Speichere die Variante oder plane weiter.',
  any: 'Beliebiger Zug',
  anyHint: (color) => `${colors[color]} hat hier nicht gezogen: Deine Antwort wird nach jedem Zug gespielt, wenn sie dann regelgemäß ist.`,
  back: 'Zurück',
  save: 'Variante speichern',
  over: 'Nach diesem Zug kann nichts folgen.',
  board: 'Brett zum Planen',
};
