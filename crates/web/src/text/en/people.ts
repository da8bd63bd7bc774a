import type { ReportReason } from '../../protocol/generated.ts';
import { withFallback } from '../with-fallback.ts';

/** The dialogs about other players. */
export const people = {
  open: (name: string) => `${name}: profile and actions`,
  profile: 'Profile',
  more: 'Actions…',
  follows: {
    add: 'Follow',
    remove: 'Unfollow',
    added: (name: string) => `You follow ${name}.`,
    removed: (name: string) => `You no longer follow ${name}.`,
  },
  mutes: {
    list: 'Muted',
    add: 'Mute',
    remove: 'Unmute',
    added: (name: string) => `${name} is muted. You do not see messages of ${name}.`,
    removed: (name: string) => `${name} is no longer muted.`,
  },
  blocks: {
    list: 'Blocked',
    add: 'Block',
    remove: 'Unblock',
    added: (name: string) => `${name} is blocked. You do not see messages of ${name}, and ${name} cannot join your tables.`,
    removed: (name: string) => `${name} is no longer blocked.`,
  },
  listTitle: 'Blocked and muted players',
  listHint: 'You do not see their messages. Blocked players also cannot join your tables. They are not informed.',
  report: 'Report…',
  reportTitle: (name: string) => `Report ${name}`,
  reason: 'What happened?',
  reasons: withFallback<ReportReason, string>(
    {
      chat: 'Insults or spam in the chat',
      cheating: 'Cheating',
      unfair_play: 'Unfair play',
      stalling: 'Stalling',
      name: 'Offensive name',
      other: 'Something else',
    },
    'Something else',
  ),
  reasonHints: {
    chat: 'Insults, threats, hate or advertising.',
    cheating: 'Help from an engine or from another person.',
    unfair_play: 'Secret agreements, losing on purpose, or several accounts.',
    stalling: 'Letting the clock run in a lost position.',
    name: 'The name insults others or pretends to be someone else.',
    other: 'Please describe it below.',
  } satisfies Record<ReportReason, string>,
  details: 'Details (optional)',
  momentHint: 'The match and this moment are sent along. The player does not learn who has reported.',
  noMoment: 'To report something in a match, open the match and press the player’s name there.',
  send: 'Send report',
  thanks: 'Thank you. A moderator will look at it.',
};
