/** The dialogs about other players. */
export const people = {
  open: (name: string) => `${name}: profile and actions`,
  profile: 'Profile',
  more: 'Actions…',
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
};
