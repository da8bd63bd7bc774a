import type { Catalogue } from '../index.ts';
import { list } from './amounts.ts';
import { variants } from './game.ts';

export const invitations: Catalogue['invitations'] = {
  title: 'Einladungen',
  from: (name) => `${name} lädt dich zum Spielen ein`,
  invitesYou: 'lädt dich ein',
  with: (items) => `mit ${list(items)}`,
  accept: 'Annehmen',
  acceptFrom: (name) => `Einladung von ${name} annehmen`,
  decline: 'Ablehnen',
  declineFrom: (name) => `Einladung von ${name} ablehnen`,
  later: 'Später entscheiden. Die Einladung bleibt auf der Startseite.',
  players: 'Spieler einladen',
  noPlayers: 'Hier kannst du Spieler einladen, denen du folgst, und deine letzten Gegner.',
  inviteShort: 'Einladen',
  invite: (name) => `${name} einladen`,
  invited: 'Eingeladen',
  declined: 'Hat abgelehnt',
  withdraw: 'Zurückziehen',
  withdrawFrom: (name) => `Einladung von ${name} zurückziehen`,
  sent: (items) => `Eingeladen: ${list(items)}`,
  toTable: (variant, clock) => `An deinen offenen Tisch: ${variants[variant].name}, ${clock}`,
  again: 'Erneut einladen',
  againHint: 'Öffnet einen neuen Tisch mit denselben Einstellungen und lädt die anderen ein.',
};
