import type { PreferenceValues } from '../../store/preferences.ts';

/** The preferences of the user. */
export const preferences = {
  title: 'Settings',
  hint: 'Changes apply immediately and are saved in this browser.',
  forgotten: 'Changes apply immediately. This browser does not store data for this page, so they are lost when you close it.',
  groups: { look: 'Appearance', board: 'Board', play: 'Play', signals: 'Sounds and alerts' },
  labels: {
    language: 'Language',
    theme: 'Theme',
    palette: 'Army colors',
    letters: 'Letters on the pieces',
    coordinates: 'Coordinates',
    motion: 'Animation',
    sound: 'Sounds',
    notify: 'Notifications',
    premove: 'Premoves',
    confirm: 'Confirm each move',
    shortcuts: 'Keyboard shortcuts',
    turnsBoard: 'Turn the board to the player to move',
    engine: 'Engine',
  } satisfies Record<keyof PreferenceValues, string>,
  hints: {
    letters: 'Show K, Q, R, B, N and P on the pieces.',
    sound: 'For moves, checks and your turn.',
    notify: 'When it is your turn and this page is hidden.',
    notifyDenied: 'Blocked by the browser: allow notifications for this page in the browser’s settings first.',
    premove: 'Make a move during an opponent’s turn; it is played when your turn comes.',
    confirm: 'A move is sent only after you press Play or Enter.',
    shortcuts: 'f, b, / and ? work at a table. Everything also has a button.',
    turnsBoard: 'When several seats are played on one screen.',
  },
  auto: 'Automatic',
  themes: { system: 'System', light: 'Light', dark: 'Dark', contrast: 'High contrast' } satisfies Record<PreferenceValues['theme'], string>,
  palettes: { standard: 'Default', distinct: 'High distinction' } satisfies Record<PreferenceValues['palette'], string>,
  motions: { system: 'System', off: 'Off' } satisfies Record<PreferenceValues['motion'], string>,
  usual: 'Reset to defaults',
};
