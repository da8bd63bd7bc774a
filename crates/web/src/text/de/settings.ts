import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { span } from './amounts.ts';

export const settings: Catalogue['settings'] = {
  labels: {
    time: 'Uhren',
    rated: 'Wertung',
    ratingRange: 'Wertungsbereich',
    seating: 'Plätze',
    limit: 'Zeitlimit je Zug',
    absence: 'Bei Verbindungsabbruch',
    draws: 'Wiederholung und 50-Züge-Regel',
    chat: 'Chat der Spieler',
    watchers: 'Wer darf zusehen?',
    admission: 'Wer darf sich setzen?',
    hotseat: 'Ein Gerät',
    setup: 'Startstellung',
    host: 'Gastgeber',
  },
  casual: 'Ohne Wertung',
  rated: 'Mit Wertung',
  ratingRange: ({ min, max }) =>
    min !== undefined && max !== undefined ? `${min}–${max}` : min !== undefined ? `ab ${min}` : `bis ${max ?? ""}`,
  seating: withFallback({ chosen: 'Freie Wahl', drawn: 'Zufällig' }, 'Anders'),
  limit: (ms) => (ms === undefined || ms === 0 ? 'Unbegrenzt' : `${span(ms)}`),
  absence: withFallback({ eliminate: 'Ausscheiden', wait: 'Warten', bot: 'Bot übernimmt' }, 'Anders'),
  draws: withFallback({ claim: 'Auf Antrag', automatic: 'Automatisch' }, 'Anders'),
  chat: withFallback({ on: 'An', phrases: 'Nur Schnellantworten', off: 'Aus' }, 'Anders'),
  watchers: withFallback({ everybody: 'Alle', link: 'Mit Link', nobody: 'Niemand' }, 'Anders'),
  admission: withFallback({ open: 'Alle', invite: 'Mit Einladung' }, 'Anders'),
  limitShort: (ms) => `${span(ms)} je Zug`,
  drawnSeats: 'Zufällige Plätze',
  ownSetup: 'Eigene Startstellung',
  oneScreen: 'Ein Gerät',
  hotseat: { no: 'Jeder einen Platz', yes: 'Mehrere Plätze an diesem Gerät' },
  yes: 'Ja',
  title: 'Einstellungen des Tisches',
};
