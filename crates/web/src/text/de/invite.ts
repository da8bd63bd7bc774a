import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

export const invite: Catalogue['invite'] = {
  title: 'Freunde einladen',
  hint: 'Wer diesen Link öffnet, bekommt einen freien Platz.',
  link: 'Einladungslink',
  copy: 'Einladungslink kopieren',
  share: 'Teilen',
  shareText: 'Komm, spiel mit mir Schach!',
  qr: 'QR-Code',
  qrLabel: 'QR-Code des Einladungslinks',
  onlyThisComputer:
    'Diese Adresse gilt nur an diesem Rechner. Um mit Freunden in deinem Netz zu spielen, starte den Server mit',
  otherLinks: 'Weitere Links',
  visitors: 'Geöffnet von',
  opened: (clock) => `um ${clock}`,
  seated: (color) => `spielt ${colors[color]}`,
  fill: (bot) => `Mit Bots auffüllen (${bot})`,
  noSeat: 'Hier ist kein Platz für dich',
  watching: 'Du siehst zu.',
  kicked: 'Der Gastgeber hat dich von diesem Tisch entfernt',
  kickedHint: 'Du kannst dich hier nicht mehr setzen.',
  linkUnusable: 'Dieser Link gilt nicht mehr',
  linkUnusableHint: 'Er ist verbraucht, widerrufen oder abgelaufen. Bitte den Gastgeber um einen neuen.',
  refusals: {
    bad_invite: 'Dieser Link ist verbraucht, widerrufen oder abgelaufen. Bitte den Gastgeber um einen neuen.',
    seat_taken: 'Den Platz dieses Links hat schon jemand anderes.',
    table_full: 'Alle Plätze sind besetzt.',
    already_started: 'Die Partie hat schon begonnen.',
    ended: 'Die Partie ist zu Ende.',
  },
};
