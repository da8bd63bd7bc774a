import type { Catalogue } from '../index.ts';
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
  seating: { chosen: 'Freie Wahl', drawn: 'Zufällig' },
  limit: (ms) => (ms === undefined || ms === 0 ? 'Unbegrenzt' : `${span(ms)}`),
  absence: { eliminate: 'Ausscheiden', wait: 'Warten', bot: 'Bot übernimmt' },
  draws: { claim: 'Auf Antrag', automatic: 'Automatisch' },
  chat: { on: 'An', phrases: 'Nur Schnellantworten', off: 'Aus' },
  watchers: { everybody: 'Alle', link: 'Mit Link', nobody: 'Niemand' },
  admission: { open: 'Alle', invite: 'Mit Einladung' },
  limitShort: (ms) => `${span(ms)} je Zug`,
  drawnSeats: 'Zufällige Plätze',
  ownSetup: 'Eigene Startstellung',
  oneScreen: 'Ein Gerät',
  hotseat: { no: 'Jeder einen Platz', yes: 'Mehrere Plätze an diesem Gerät' },
  yes: 'Ja',
  title: 'Einstellungen des Tisches',
};
