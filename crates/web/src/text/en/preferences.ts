import type { Choices } from '../../store/preferences.ts';

/** How one likes things: the page of settings that are this browser's own. */
export const preferences = {
  title: 'Settings',
  hint: 'They count at once, and are kept in this browser.',
  forgotten: 'They count at once. This browser keeps nothing for this page, so they are forgotten when it is closed.',
  groups: { look: 'Look', board: 'Board', play: 'Playing', signals: 'Signals' },
  labels: {
    language: 'Language',
    theme: 'Theme',
    palette: 'Colors of the armies',
    letters: 'Letters on the pieces',
    coordinates: 'Names of files and ranks',
    motion: 'Animation',
    sound: 'Sounds',
    notify: 'Notifications',
    premove: 'Moves in advance',
    confirm: 'Confirm each move',
    shortcuts: 'Letters as keys',
    turnsBoard: 'Turn the board to whoever is to move',
    engine: 'Engine',
  } satisfies Record<keyof Choices, string>,
  hints: {
    letters: 'K, Q, R, B, N and P, besides their shapes.',
    sound: 'For moves, checks and your turn.',
    notify: 'When it is your turn and this page is hidden.',
    notifyDenied: 'This browser does not allow it: allow notifications for this page in the browser’s own settings first.',
    premove: 'A move made while others are to move is played when your turn comes.',
    confirm: 'It waits until you press Play, or Enter, once more.',
    shortcuts: 'At a table f, b, / and ? do something at once. Without them, all of it has buttons.',
    turnsBoard: 'Where one plays several seats at one screen.',
  },
  auto: 'As the browser',
  themes: { system: 'As the device', light: 'Light', dark: 'Dark', contrast: 'High contrast' } satisfies Record<Choices['theme'], string>,
  palettes: { standard: 'Usual', distinct: 'Most distinct' } satisfies Record<Choices['palette'], string>,
  motions: { system: 'As the device', off: 'None' } satisfies Record<Choices['motion'], string>,
  usual: 'Back to the usual settings',
};
