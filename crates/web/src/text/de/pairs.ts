import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('de');

export const pairs: Catalogue['pairs'] = {
  hint: 'In gewerteten Partien zu viert schlagen diese Paare einander seltener und geben einander seltener Schach, als ihr Spiel gegen andere erwarten lässt. Das ist ein Grund, ihre Partien anzusehen, aber kein Beweis. Die Auffälligkeit ist die Zahl der Standardabweichungen unter dem Erwarteten.',
  none: 'Kein Paar ist auffällig.',
  score: (points) => `Auffälligkeit ${points}`,
  matches: (count) => form(count, { one: '1 gemeinsame Partie', other: `${count} gemeinsame Partien` }),
  last: (day) => `zuletzt am ${day}`,
  together: 'Gemeinsame Partien',
  against: (name) => `gegen ${name}`,
  action: 'Aktion',
  actual: 'Gezählt',
  expected: 'Erwartet',
  actions: { captures: 'Schlagzüge', checks: 'Schachgebote', eliminations: 'Mattsetzungen' },
};
