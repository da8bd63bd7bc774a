import { pluralForms } from '../plural.ts';

const form = pluralForms('en');

/** The list of browsers and programs in which the user is signed in. */
export const sessions = {
  title: 'Where you are signed in',
  hint: 'Sign out anything that you don’t recognize.',
  current: 'This browser',
  unknownBrowser: 'Unknown browser',
  program: 'Program',
  used: (ago: string) => `Last used: ${ago}`,
  since: (day: string) => `Signed in on ${day}`,
  signOut: 'Sign out',
  signOutOf: (name: string) => `Sign out: ${name}`,
  signOutOthers: 'Sign out everywhere else',
  signedOut: (name: string) => `Signed out: ${name}.`,
  signedOutOthers: (count: number) => (count === 0 ? 'There was nothing else to sign out.' : form(count, { one: '1 other session was signed out.', other: `${count} other sessions were signed out.` })),
  question: 'Sign out of this browser?',
  lastBrowser: (name: string) =>
    `You play as the guest ${name}, and you are signed in only here. If you sign out, you lose ${name} for good: you cannot return to your tables and matches.`,
  otherBrowsers: (name: string) => `To return as ${name} later, open the menu on your other device and choose “Continue on another device”.`,
  signOutAnyway: 'Sign out anyway',
};

/** The dialog after this browser was signed out. */
export const signedOut = {
  title: 'You are signed out',
  done: (name: string) => `This browser is no longer signed in as ${name}.`,
  startAgain: 'Play as a new guest',
};
