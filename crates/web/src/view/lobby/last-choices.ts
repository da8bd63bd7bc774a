import type { Persistence } from '../../store/persistence.ts';
import { RATING_LIMITS } from './rated-tables.ts';
import { EMPTY_SEATS, DEFAULT_CHOICES, withPrivacy, withVariant, type TableChoices } from './table-choices.ts';

const NAME = 'quadrex.new-table';

/**
 * The values that a stored choice may have. For a number, they are the least and the greatest
 * value.
 */
const ALLOWED = {
  variant: Object.keys(EMPTY_SEATS),
  privacy: ['public', 'private'],
  seat: ['random', 'red', 'blue', 'yellow', 'green', 'white', 'black', null],
  clock: ['none', 'fischer', 'delay', 'correspondence'],
  base_minutes: { least: 0.5, most: 180 },
  extra_seconds: { least: 0, most: 180 },
  days: { least: 1, most: 14 },
  limit_minutes: { least: 0, most: 24 * 60 },
  seating: ['chosen', 'drawn'],
  draws: ['claim', 'automatic'],
  absence: ['eliminate', 'wait', 'bot'],
  watchers: ['everybody', 'link', 'nobody'],
  chat: ['on', 'phrases', 'off'],
  admission: ['open', 'invite'],
  rated: [true, false],
  min_rating: [null, ...RATING_LIMITS],
  max_rating: [null, ...RATING_LIMITS],
} as const;

/**
 * Returns the choices of the last table that was created in this browser, or the defaults before
 * the first table.
 */
export function lastChoices(persistence: Persistence): TableChoices {
  const kept = parse(persistence.get(NAME));
  const values = Object.entries(ALLOWED).filter(([name, allowed]) => isAllowed(kept[name], allowed));
  const choices: TableChoices = { ...DEFAULT_CHOICES, ...Object.fromEntries(values.map(([name]) => [name, kept[name]])) };
  // Stored choices that were edited by hand or written by another version may contradict each
  // other. These functions make them consistent.
  const isInconsistent = choices.privacy === 'public' && (choices.absence === 'wait' || choices.limit_minutes === 0);
  return withVariant(isInconsistent ? withPrivacy(withPrivacy(choices, 'private'), 'public') : choices, choices.variant);
}

/**
 * Stores choices for the next table. The set-up, the bots and the hotseat mode are not stored,
 * because they are meant for one table only.
 */
export function storeChoices(persistence: Persistence, choices: TableChoices): void {
  const kept = Object.keys(ALLOWED).map((name) => [name, choices[name as keyof typeof ALLOWED]] as const);
  persistence.set(NAME, JSON.stringify(Object.fromEntries(kept)));
}

function parse(kept: string | null): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(kept ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isAllowed(value: unknown, allowed: (typeof ALLOWED)[keyof typeof ALLOWED]): boolean {
  if ('least' in allowed) return typeof value === 'number' && value >= allowed.least && value <= allowed.most;
  return (allowed as readonly unknown[]).includes(value);
}
