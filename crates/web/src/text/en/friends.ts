import { pluralForms } from '../plural.ts';

const form = pluralForms('en');

/** The page with the followed players and recent opponents. */
export const friends = {
  title: 'Friends',
  hint: 'Follow players to see when they are online, and to watch their games.',
  followed: 'Players you follow',
  none: 'You follow no one yet. Open a player’s profile to follow the player.',
  online: 'Online',
  offline: 'Offline',
  playing: 'Playing now',
  watch: (name: string) => `Watch ${name}`,
  opponents: 'Recent opponents',
  noOpponents: 'You have not played with other people yet.',
  matches: (count: number, day: string) => form(count, { one: `1 match, on ${day}`, other: `${count} matches, the last on ${day}` }),
};
