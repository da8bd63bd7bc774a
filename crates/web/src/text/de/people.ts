import type { ReportReason } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';

export const people: Catalogue['people'] = {
  open: (name) => `${name}: Profil und Aktionen`,
  profile: 'Profil',
  more: 'Aktionen …',
  follows: {
    add: 'Folgen',
    remove: 'Entfolgen',
    added: (name) => `Du folgst ${name}.`,
    removed: (name) => `Du folgst ${name} nicht mehr.`,
  },
  mutes: {
    list: 'Stummgeschaltet',
    add: 'Stummschalten',
    remove: 'Nicht mehr stummschalten',
    added: (name) => `${name} ist stummgeschaltet. Du siehst keine Nachrichten von ${name} mehr.`,
    removed: (name) => `${name} ist nicht mehr stummgeschaltet.`,
  },
  blocks: {
    list: 'Blockiert',
    add: 'Blockieren',
    remove: 'Nicht mehr blockieren',
    added: (name) => `${name} ist blockiert. Du siehst keine Nachrichten von ${name} mehr, und ${name} kann sich nicht an deine Tische setzen.`,
    removed: (name) => `${name} ist nicht mehr blockiert.`,
  },
  listTitle: 'Blockierte und stummgeschaltete Spieler',
  listHint: 'Du siehst ihre Nachrichten nicht. Blockierte Spieler können sich auch nicht an deine Tische setzen. Sie erfahren davon nichts.',
  report: 'Melden …',
  reportTitle: (name) => `${name} melden`,
  reason: 'Was ist passiert?',
  reasons: withFallback<ReportReason, string>(
    {
      chat: 'Beleidigungen oder Spam im Chat',
      cheating: 'Betrug',
      unfair_play: 'Unfaires Spiel',
      stalling: 'Verzögern',
      name: 'Anstößiger Name',
      other: 'Etwas anderes',
    },
    'Etwas anderes',
  ),
  reasonHints: {
    chat: 'Beleidigungen, Drohungen, Hass oder Werbung.',
    cheating: 'Hilfe durch eine Engine oder eine andere Person.',
    unfair_play: 'Heimliche Absprachen, absichtliches Verlieren oder mehrere Konten.',
    stalling: 'Die Uhr in verlorener Stellung ablaufen lassen.',
    name: 'Der Name beleidigt andere oder täuscht vor, jemand anderes zu sein.',
    other: 'Beschreibe es bitte unten.',
  },
  details: 'Einzelheiten (freiwillig)',
  momentHint: 'Die Partie und dieser Augenblick werden mitgesendet. Der Spieler erfährt nicht, wer ihn gemeldet hat.',
  noMoment: 'Wenn es um eine Partie geht, öffne sie und wähle dort den Namen des Spielers.',
  send: 'Meldung senden',
  thanks: 'Danke. Die Moderation sieht sich das an.',
};
