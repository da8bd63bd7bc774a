import type { Catalogue } from '../index.ts';

export const replayControls: Catalogue['replayControls'] = {
  title: 'Züge durchgehen',
  first: 'An den Anfang',
  back: 'Einen Zug zurück',
  play: 'Züge abspielen',
  stop: 'Anhalten',
  forward: 'Einen Zug vor',
  live: 'Zur aktuellen Stellung',
  turn: 'Brett drehen',
  help: 'Tastenkürzel',
  openChat: 'Zum Chat',
  start: (of) => `Anfang von ${of} Zügen`,
  after: (ply, of) => `Zug ${ply} von ${of}`,
  toLive: 'Zurück ins Spiel',
  missed: (count) => (count === 1 ? '1 neuer Zug' : `${count} neue Züge`),
};

export const keys: Catalogue['keys'] = {
  title: 'Tastenkürzel',
  onPage: 'Überall auf der Seite',
  onBoard: 'Wenn das Brett den Fokus hat',
  pointer: 'Mit der Maus',
  typed: 'Im Zugfeld',
  names: {
    home: 'Pos1',
    end: 'Ende',
    space: 'Leertaste',
    enter: 'Eingabe',
    shift: 'Umschalt',
    remove: 'Entf',
    right: 'rechte Taste',
    left: 'linke Taste',
  },
  effects: {
    step: 'Einen Zug zurück oder vor',
    ends: 'Anfang, aktuelle Stellung',
    play: 'Züge abspielen',
    turn: 'Brett drehen',
    zen: 'Zen-Modus: nur das Brett',
    input: 'Zum Zugfeld',
    board: 'Zum Brett',
    help: 'Diese Hilfe',
    walk: 'Von Feld zu Feld',
    row: 'Ans Ende der Reihe',
    press: 'Figur aufnehmen, absetzen',
    back: 'Figur zurückstellen',
    arrow: 'Pfeil beginnen und beenden; zweimal auf einem Feld: Ring',
    brush: 'Rot oder blau zeichnen, beide zusammen gelb',
    wipe: 'Zeichnungen wegwischen',
    draw: 'Pfeil zeichnen oder Feld umringen',
  },
};

export const zen: Catalogue['zen'] = {
  enter: 'Zen-Modus',
  leave: 'Zen-Modus verlassen',
};
