import type { Catalogue } from '../index.ts';

export const preferences: Catalogue['preferences'] = {
  title: 'Einstellungen',
  hint: 'Sie gelten sofort und werden in diesem Browser gemerkt.',
  groups: { look: 'Aussehen', board: 'Brett', play: 'Spielen', signals: 'Zeichen' },
  labels: {
    language: 'Sprache',
    theme: 'Farbschema',
    palette: 'Farben der Armeen',
    letters: 'Buchstaben auf den Figuren',
    coordinates: 'Namen der Linien und Reihen',
    motion: 'Bewegung',
    sound: 'Töne',
    notify: 'Benachrichtigungen',
    premove: 'Züge im Voraus',
    confirm: 'Jeden Zug bestätigen',
    turnsBoard: 'Das Brett zu dem drehen, der am Zug ist',
  },
  hints: {
    letters: 'K, Q, R, B, N und P wie in der Zugliste (König, Dame, Turm, Läufer, Springer, Bauer).',
    sound: 'Bei Zügen, bei Schach und wenn du am Zug bist.',
    notify: 'Wenn du am Zug bist und diese Seite verdeckt ist.',
    notifyDenied: 'Dieser Browser erlaubt es nicht: Lass Benachrichtigungen für diese Seite erst in seinen eigenen Einstellungen zu.',
    premove: 'Ein Zug, den du machst, während andere am Zug sind, wird gespielt, sobald du an der Reihe bist.',
    confirm: 'Er wartet, bis du noch einmal auf „Ziehen“ oder die Eingabetaste drückst.',
    turnsBoard: 'Wenn du an einem Gerät mehrere Plätze spielst.',
  },
  auto: 'Wie der Browser',
  themes: { system: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel', contrast: 'Hoher Kontrast' },
  palettes: { standard: 'Üblich', distinct: 'Am besten zu trennen' },
  motions: { system: 'Wie das Gerät', off: 'Keine' },
  usual: 'Zurück zum Üblichen',
};
