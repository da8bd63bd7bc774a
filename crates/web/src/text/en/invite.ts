import type { Color, RefusalCode } from '../../protocol/generated.ts';
import { colors } from './game.ts';

/** Texts about playing with friends: the link for them, and the page that it opens. */
export const invite = {
  title: 'Invite friends',
  hint: 'Anyone who opens this link gets a free seat.',
  link: 'Invite link',
  copy: 'Copy invite link',
  share: 'Share',
  shareText: 'Come and play chess with me!',
  qr: 'QR code',
  qrLabel: 'QR code of the invite link',
  onlyThisComputer:
    'This address works only on this computer. To play with friends in your network, start the server with',
  otherLinks: 'Other links',
  visitors: 'Opened by',
  opened: (clock: string) => `at ${clock}`,
  seated: (color: Color) => `plays ${colors[color]}`,
  fill: (bot: string) => `Fill with bots (${bot})`,
  noSeat: 'There is no seat for you',
  watching: 'You are watching.',
  kicked: 'The host removed you from this table',
  kickedHint: 'You cannot take a seat here any more.',
  linkUnusable: 'This link no longer works',
  linkUnusableHint: 'It was used, withdrawn, or has expired. Ask the host for a new one.',
  refusals: {
    bad_invite: 'This link was used, withdrawn, or has expired. Ask the host for a new one.',
    seat_taken: 'Someone else has taken the seat of this link.',
    table_full: 'All seats are taken.',
    already_started: 'The match has already started.',
    ended: 'The match is over.',
  } as Partial<Record<RefusalCode, string>>,
};
