import { afterEach, expect, it } from 'vitest';
import { browserPersistence } from '../src/store/persistence.ts';
import { followOtherTabs, loadPreferences, PREFERENCE_OPTIONS, resetPreferences, DEFAULT_PREFERENCES } from '../src/store/preferences.ts';
import { followPreferences } from '../src/view/appearance.ts';

const PLACE = 'quadrex.preferences';

afterEach(() => localStorage.clear());

it('a preference is stored, and the others keep their defaults', () => {
  loadPreferences(browserPersistence()).theme.value = 'contrast';
  const again = loadPreferences(browserPersistence());
  expect(again.theme.value).toBe('contrast');
  expect(again.sound.value).toBe(DEFAULT_PREFERENCES.sound);
});

it.each(['no json', '[]', 'null', '{"version":0,"theme":"dark"}', '{"version":1,"theme":"pink","sound":"yes"}'])(
  'malformed data gives the defaults: %s',
  (kept) => {
    localStorage.setItem(PLACE, kept);
    const read = loadPreferences(browserPersistence());
    expect(Object.fromEntries(Object.entries(read).map(([name, choice]) => [name, choice.value]))).toEqual(DEFAULT_PREFERENCES);
  },
);

it('offers the default values', () => {
  for (const [name, value] of Object.entries(DEFAULT_PREFERENCES)) {
    expect(PREFERENCE_OPTIONS[name as keyof typeof PREFERENCE_OPTIONS], name).toContain(value);
  }
});

it('resets all preferences at once', () => {
  const preferences = loadPreferences(browserPersistence());
  preferences.letters.value = true;
  preferences.motion.value = 'off';
  resetPreferences(preferences);
  expect([preferences.letters.value, preferences.motion.value]).toEqual([false, 'system']);
  expect(JSON.parse(localStorage.getItem(PLACE) ?? '')).toEqual({ version: 1, ...DEFAULT_PREFERENCES });
});

it('applies changes of another tab', () => {
  const preferences = loadPreferences(browserPersistence());
  followOtherTabs(preferences);
  const newValue = JSON.stringify({ version: 1, ...DEFAULT_PREFERENCES, theme: 'dark' });
  dispatchEvent(new StorageEvent('storage', { key: PLACE, newValue }));
  expect(preferences.theme.value).toBe('dark');
});

it('applies the preferences to the page at once', async () => {
  const preferences = loadPreferences(browserPersistence());
  await followPreferences(preferences);
  const { dataset } = document.documentElement;
  expect([dataset['theme'], dataset['palette'], dataset['letters'], dataset['coordinates'], dataset['motion']]).toEqual(
    ['system', 'standard', 'hidden', 'shown', 'system'],
  );
  preferences.theme.value = 'contrast';
  preferences.palette.value = 'distinct';
  preferences.letters.value = true;
  preferences.coordinates.value = false;
  preferences.motion.value = 'off';
  expect([dataset['theme'], dataset['palette'], dataset['letters'], dataset['coordinates'], dataset['motion']]).toEqual(
    ['contrast', 'distinct', 'shown', 'hidden', 'off'],
  );
});
