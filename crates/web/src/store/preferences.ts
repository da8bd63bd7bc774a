import { batch, effect, signal, type Signal } from '@preact/signals';
import type { Persistence } from './persistence.ts';

/** The preferences of the user of this browser, which are not sent to the server. */
export interface Choices {
  /** The language; `auto` is the browser's first one. */
  readonly language: 'auto' | 'en' | 'de';
  readonly theme: 'system' | 'light' | 'dark' | 'contrast';
  /** The armies' colors. */
  readonly palette: 'standard' | 'distinct';
  /** Set to show a letter on each piece. */
  readonly letters: boolean;
  /** Set to show the names of files and ranks. */
  readonly coordinates: boolean;
  /** Animations: `system` follows the device, `off` disables them. */
  readonly motion: 'system' | 'off';
  readonly sound: boolean;
  /** Set to notify the user of the own turn while the page is hidden. */
  readonly notify: boolean;
  /** Set to allow premoves. */
  readonly premove: boolean;
  /** Set to send a move only once it is confirmed. */
  readonly confirm: boolean;
  /** Set to use single characters as keys on the page of a table. */
  readonly shortcuts: boolean;
  /** Set to turn the board to the player to move, for users with several seats. */
  readonly turnsBoard: boolean;
  /** Set to show the engine's analysis of the displayed positions. */
  readonly engine: boolean;
}

/** The default preferences. */
export const USUAL: Choices = {
  language: 'auto',
  theme: 'system',
  palette: 'standard',
  letters: false,
  coordinates: true,
  motion: 'system',
  sound: true,
  notify: false,
  premove: true,
  confirm: false,
  shortcuts: true,
  turnsBoard: false,
  engine: false,
};

/** All that each choice may be. */
export const OFFERED: { readonly [Name in keyof Choices]: readonly Choices[Name][] } = {
  language: ['auto', 'en', 'de'],
  theme: ['system', 'light', 'dark', 'contrast'],
  palette: ['standard', 'distinct'],
  letters: [false, true],
  coordinates: [false, true],
  motion: ['system', 'off'],
  sound: [false, true],
  notify: [false, true],
  premove: [false, true],
  confirm: [false, true],
  shortcuts: [false, true],
  turnsBoard: [false, true],
  engine: [false, true],
};

/** The choices, each a signal: what reads one follows it, and what is set is kept. */
export type Preferences = { readonly [Name in keyof Choices]: Signal<Choices[Name]> };

const PLACE = 'quadrex.preferences';
/** Counted up when a choice changes its meaning; what was kept under another number is forgotten. */
const VERSION = 1;

/** The choices kept there; what cannot be read is as usual. */
export function keptPreferences(persistence: Persistence): Preferences {
  const kept = read(persistence.get(PLACE));
  const preferences = Object.fromEntries(
    Object.entries({ ...USUAL, ...kept }).map(([name, value]) => [name, signal(value)]),
  ) as unknown as Preferences;
  effect(() => {
    const now = Object.fromEntries(Object.entries(preferences).map(([name, choice]) => [name, choice.value]));
    const text = JSON.stringify({ version: VERSION, ...now });
    if (persistence.get(PLACE) !== text) persistence.set(PLACE, text);
  });
  return preferences;
}

/** Takes over what another tab of this browser has chosen. */
export function followOtherTabs(preferences: Preferences): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== PLACE) return;
    for (const [name, value] of Object.entries({ ...USUAL, ...read(newValue) })) {
      (preferences[name as keyof Choices] as Signal<unknown>).value = value;
    }
  });
}

/** Each choice that is there and is one of those offered. */
function read(text: string | null): Partial<Choices> {
  const kept = parse(text);
  if (kept['version'] !== VERSION) return {};
  const offered: [string, readonly unknown[]][] = Object.entries(OFFERED);
  return Object.fromEntries(offered.filter(([name, all]) => all.includes(kept[name])).map(([name]) => [name, kept[name]]));
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Makes all choices the usual ones again. */
export function setUsual(preferences: Preferences): void {
  batch(() => {
    for (const [name, value] of Object.entries(USUAL)) (preferences[name as keyof Choices] as Signal<unknown>).value = value;
  });
}
