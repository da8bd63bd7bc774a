import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Die Partie wird geladen …',
  notFound: 'Diese Partie gibt es nicht',
  notFoundHint: 'Unter dieser Adresse gibt es keine Partie, oder sie ist privat. Wer mitgespielt hat, kann dir einen Link dazu schicken.',
  live: 'Live zusehen',
  position: 'Stelle in der Partie',
  speed: 'Wiedergabetempo',
  exports: 'Teilen und speichern',
  analyse: 'Ab hier analysieren',
  record: 'Protokoll (JSON)',
  picture: 'Bild (PNG)',
  animation: 'Animation (GIF)',
};

export const share: Catalogue['share'] = {
  isPrivate: 'Diese Partie sehen nur ihre Spieler.',
  create: 'Partie teilen',
  hint: 'Wer diesen Link hat, kann die Partie nachspielen.',
  link: 'Link zu dieser Partie',
  passOn: 'Teilen',
  shareText: 'Sieh dir diese Partie an!',
  remove: 'Nicht mehr teilen',
  elsewhere: (moment: string) => `Du hast diese Partie geteilt (${moment}). Ein neuer Link ersetzt den alten.`,
  renew: 'Neuer Link',
  playersOnly: 'Diese Partie ist privat. Wer mitgespielt hat, kann einen Link dazu teilen.',
  afterEnd: 'Diese Partie ist privat. Nach ihrem Ende können ihre Spieler einen Link dazu teilen.',
  spent: 'Dieser Link funktioniert nicht mehr',
  spentHint: 'Die Freigabe der Partie wurde beendet, oder der Link ist unvollständig.',
};
