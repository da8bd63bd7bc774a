import { batch, effect, signal, type Signal } from '@preact/signals';
import { type Language, LANGUAGE_TAGS } from './languages.ts';
import type { Persistence } from './persistence.ts';

/** The preferences of the user. They stay in this browser. */
export interface PreferenceValues {
  /** The language of the page. `auto` is the first supported language of the browser. */
  readonly language: 'auto' | Language;
  readonly theme: 'system' | 'light' | 'dark' | 'contrast';
  /** The colors of the pieces. */
  readonly palette: 'standard' | 'distinct';
  /** The colors of the squares. The high-contrast theme has its own colors. */
  readonly board: 'wood' | 'slate' | 'forest';
  /** The shapes of the pieces. */
  readonly pieces: 'standard' | 'flat' | 'tokens';
  /** Set to show a letter on each piece. */
  readonly letters: boolean;
  /** Set to show the names of files and ranks. */
  readonly coordinates: boolean;
  /** Animations: `system` follows the device, `off` switches them off. */
  readonly motion: 'system' | 'off';
  readonly sound: boolean;
  readonly volume: 'quiet' | 'normal' | 'loud';
  /** Set to notify users of their turn while the page is hidden. */
  readonly notify: boolean;
  /** Set to allow premoves. */
  readonly premove: boolean;
  /** Set to ask for confirmation before a move is sent. */
  readonly confirm: boolean;
  /** Set to open the next match that waits for the user after a move in correspondence. */
  readonly nextGame: boolean;
  /** Set to enable keyboard shortcuts of single characters on the page of a table. */
  readonly shortcuts: boolean;
  /** Set to turn the board to the player to move, for users with several seats. */
  readonly turnsBoard: boolean;
  /** Set to show nothing but the board at a table, see `useZen`. */
  readonly zen: boolean;
  /** Set to show the engine's analysis of the displayed positions. */
  readonly engine: boolean;
}

/** The default preferences. */
export const DEFAULT_PREFERENCES: PreferenceValues = {
  language: 'auto',
  theme: 'system',
  palette: 'standard',
  board: 'wood',
  pieces: 'standard',
  letters: false,
  coordinates: true,
  motion: 'system',
  sound: true,
  volume: 'normal',
  notify: false,
  premove: true,
  confirm: false,
  nextGame: false,
  shortcuts: true,
  turnsBoard: false,
  zen: false,
  engine: false,
};

/** The allowed values of each preference. */
export const PREFERENCE_OPTIONS: { readonly [Name in keyof PreferenceValues]: readonly PreferenceValues[Name][] } = {
  language: ['auto', ...LANGUAGE_TAGS],
  theme: ['system', 'light', 'dark', 'contrast'],
  palette: ['standard', 'distinct'],
  board: ['wood', 'slate', 'forest'],
  pieces: ['standard', 'flat', 'tokens'],
  letters: [false, true],
  coordinates: [false, true],
  motion: ['system', 'off'],
  sound: [false, true],
  volume: ['quiet', 'normal', 'loud'],
  notify: [false, true],
  premove: [false, true],
  confirm: [false, true],
  nextGame: [false, true],
  shortcuts: [false, true],
  turnsBoard: [false, true],
  zen: [false, true],
  engine: [false, true],
};

/** The preferences as signals. A change of a signal is stored. */
export type Preferences = { readonly [Name in keyof PreferenceValues]: Signal<PreferenceValues[Name]> };

const STORAGE_KEY = 'quadrex.preferences';
/**
 * The version of the stored data. It grows when a preference changes its meaning; data of other
 * versions is ignored.
 */
const VERSION = 1;

/** Loads the stored preferences. Missing and invalid values get their defaults. */
export function loadPreferences(persistence: Persistence): Preferences {
  const stored = readStored(persistence.get(STORAGE_KEY));
  const preferences = Object.fromEntries(
    Object.entries({ ...DEFAULT_PREFERENCES, ...stored }).map(([name, value]) => [name, signal(value)]),
  ) as unknown as Preferences;
  effect(() => {
    const now = Object.fromEntries(Object.entries(preferences).map(([name, choice]) => [name, choice.value]));
    const text = JSON.stringify({ version: VERSION, ...now });
    if (persistence.get(STORAGE_KEY) !== text) persistence.set(STORAGE_KEY, text);
  });
  return preferences;
}

/** Applies changes that another tab of this browser makes. */
export function followOtherTabs(preferences: Preferences): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY) return;
    for (const [name, value] of Object.entries({ ...DEFAULT_PREFERENCES, ...readStored(newValue) })) {
      (preferences[name as keyof PreferenceValues] as Signal<unknown>).value = value;
    }
  });
}

/** Returns the stored preferences that have an allowed value. */
function readStored(text: string | null): Partial<PreferenceValues> {
  const stored = parseObject(text);
  if (stored['version'] !== VERSION) return {};
  const options: [string, readonly unknown[]][] = Object.entries(PREFERENCE_OPTIONS);
  return Object.fromEntries(options.filter(([name, all]) => all.includes(stored[name])).map(([name]) => [name, stored[name]]));
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Resets all preferences to their defaults. */
export function resetPreferences(preferences: Preferences): void {
  batch(() => {
    for (const [name, value] of Object.entries(DEFAULT_PREFERENCES)) (preferences[name as keyof PreferenceValues] as Signal<unknown>).value = value;
  });
}
