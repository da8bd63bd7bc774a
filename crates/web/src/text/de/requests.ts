import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

const knownRequests: Catalogue['requests'] = {
  draw: {
    ask: 'Remis anbieten',
    accept: 'Remis annehmen',
    decline: 'Ablehnen',
    seatAsks: 'Remis?',
    seatAgrees: 'Einverstanden',
    sentences: {
      requested: (color) => `${colors[color]} bietet Remis an`,
      agreed: (color) => `${colors[color]} nimmt das Remis an`,
      declined: (color) => `${colors[color]} lehnt das Remis ab`,
    },
    ownRequest: 'Du bietest Remis an',
  },
  takeback: {
    ask: 'Zurücknehmen',
    accept: 'Rücknahme erlauben',
    decline: 'Ablehnen',
    seatAsks: 'Rücknahme?',
    seatAgrees: 'Einverstanden',
    sentences: {
      requested: (color) => `${colors[color]} möchte einen Zug zurücknehmen`,
      agreed: (color) => `${colors[color]} erlaubt die Rücknahme`,
      declined: (color) => `${colors[color]} lehnt die Rücknahme ab`,
    },
    ownRequest: 'Du möchtest einen Zug zurücknehmen',
  },
  pause: {
    ask: 'Pause',
    accept: 'Pause zustimmen',
    decline: 'Ablehnen',
    seatAsks: 'Pause?',
    seatAgrees: 'Einverstanden',
    sentences: {
      requested: (color) => `${colors[color]} bittet um eine Pause`,
      agreed: (color) => `${colors[color]} stimmt der Pause zu`,
      declined: (color) => `${colors[color]} lehnt die Pause ab`,
    },
    ownRequest: 'Du bittest um eine Pause',
  },
  abort: {
    ask: 'Abbrechen',
    accept: 'Abbruch zustimmen',
    decline: 'Weiterspielen',
    seatAsks: 'Abbruch?',
    seatAgrees: 'Einverstanden',
    sentences: {
      requested: (color) => `${colors[color]} möchte die Partie abbrechen`,
      agreed: (color) => `${colors[color]} stimmt dem Abbruch zu`,
      declined: (color) => `${colors[color]} möchte weiterspielen`,
    },
    ownRequest: 'Du möchtest die Partie abbrechen',
  },
};

/** A kind of a later version. */
const otherRequest: Catalogue['requests']['draw'] = {
  ask: 'Anfrage',
  accept: 'Zustimmen',
  decline: 'Ablehnen',
  seatAsks: 'Anfrage?',
  seatAgrees: 'Stimmt zu',
  sentences: {
    requested: (color) => `${colors[color]} hat eine Anfrage`,
    agreed: (color) => `${colors[color]} stimmt zu`,
    declined: (color) => `${colors[color]} lehnt ab`,
  },
  ownRequest: 'Du hast eine Anfrage',
};

export const requests = withFallback(knownRequests, otherRequest);

export const request: Catalogue['request'] = {
  open: 'Offene Anfragen',
  agreed: 'Du hast zugestimmt',
  waits: (waiting) => `Warten auf ${list(waiting.map((color) => colors[color]))}`,
  abortTitle: 'Partie abbrechen?',
  abortHint: 'Wenn alle zustimmen, die noch im Spiel sind, endet die Partie ohne Ergebnis.',
  abortAsk: 'Die anderen fragen',
  claim: 'Remis beanspruchen',
  claimWithMove: 'Mit meinem Zug Remis beanspruchen',
};

export const postGame: Catalogue['postGame'] = {
  title: 'Wie geht es weiter?',
  rematch: 'Revanche',
  rematchRequested: 'Du möchtest eine Revanche',
  decline: 'Keine Revanche',
  ownRequest: 'Du bittest um eine Revanche',
  wantsRematch: (color) => `${colors[color]} möchte eine Revanche`,
  declinesRematch: (color) => `${colors[color]} möchte keine Revanche`,
  newMatch: (variant) => `Neue Partie ${variants[variant].name}`,
  newMatchHint: 'Mit allen, die gerade warten.',
  sameBotsHint: 'Gegen dieselben Bots, sofort.',
  newPrivateTable: 'Neuer privater Tisch',
  newPrivateTableHint: 'Mit denselben Einstellungen, nur auf Einladung.',
  watch: 'Weiter zusehen',
  leave: 'Gehen',
  replay: 'Diese Partie nachspielen',
  record: 'Protokoll herunterladen',
};

export const suspension: Catalogue['suspension'] = {
  paused: 'Pause',
  pausedHint: (left) => `Geht in ${left} automatisch weiter.`,
  resume: 'Weiter',
  resuming: 'Gleich geht es weiter',
  resumingHint: (color) => (color === null ? 'Die Pausenzeit ist aufgebraucht.' : `${colors[color]} hat die Pause beendet.`),
  waiting: (color) => `Warten auf ${colors[color]}`,
  waitingHint: (left) => `Es geht weiter, sobald der Spieler zurück ist. In ${left} wird die Partie sonst abgebrochen.`,
  waitingForYou: 'Die anderen warten auf dich.',
};
