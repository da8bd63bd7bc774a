import type { Variant } from '../../protocol/generated.ts';
import { list } from './amounts.ts';
import { variants } from './game.ts';

/** The invitations of a player to a table. */
export const invitations = {
  title: 'Invitations',
  from: (name: string) => `${name} invites you to play`,
  invitesYou: 'invites you',
  with: (items: readonly string[]) => `with ${list(items)}`,
  accept: 'Accept',
  acceptFrom: (name: string) => `Accept the invitation from ${name}`,
  decline: 'Decline',
  declineFrom: (name: string) => `Decline the invitation from ${name}`,
  later: 'Decide later. The invitation stays on the first page.',
  players: 'Invite players',
  noPlayers: 'Here you can invite players whom you follow, and recent opponents.',
  inviteShort: 'Invite',
  invite: (name: string) => `Invite ${name}`,
  invited: 'Invited',
  declined: 'Declined',
  withdraw: 'Withdraw',
  withdrawFrom: (name: string) => `Withdraw the invitation of ${name}`,
  sent: (items: readonly string[]) => `Invited: ${list(items)}`,
  toTable: (variant: Variant, clock: string) => `To your open table: ${variants[variant].name}, ${clock}`,
  again: 'Invite again',
  againHint: 'Opens a new table with the same settings and invites the other players.',
};
