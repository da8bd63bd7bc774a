import type { TokenScope } from '../../protocol/generated.ts';
import { pluralForms } from '../plural.ts';
import { left, span } from './amounts.ts';

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
    `You play as the guest ${name}, and you are signed in only here. If you sign out, you lose ${name} for good, with all tables and matches. A recovery key or an account prevents that.`,
  otherBrowsers: (name: string) => `To return as ${name} later, open the menu on your other device and choose “Continue on another device”.`,
  byKey: (name: string) => `To return as ${name} later, sign in with your recovery key.`,
  signOutAnyway: 'Sign out anyway',
};

/** The dialog after this browser was signed out. */
export const signedOut = {
  title: 'You are signed out',
  done: (name: string) => `This browser is no longer signed in as ${name}.`,
  startAgain: 'Play as a new guest',
  deletedTitle: 'Your data is deleted',
  deleted: (name: string) => `${name} no longer exists. Your past matches stay in the archive, without your name.`,
};

/** The user's account. */
export const account = {
  title: 'Account',
  guest: (name: string) => `You play as the guest ${name}. With an account you can sign in on any device, and your name belongs to you alone.`,
  signedIn: (name: string) => `You are signed in as ${name}.`,
  create: 'Create an account',
  createHint: (name: string) => `You keep all tables and matches of ${name}.`,
  nameHint: 'You sign in with this name, and other players see it.',
  passwordHint: 'At least 8 characters.',
  invalidPassword: 'Choose another password: 8 to 128 characters, not your name, and not a common password.',
  nameTaken: 'This name belongs to another player. Choose another one.',
  submit: 'Create account',
  already: 'You have an account already.',
  haveOne: 'Do you have an account?',
  toSettings: 'To the settings',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  wrongPassword: 'This is not your current password.',
  passwordChanged: (count: number) =>
    count === 0 ? 'Your password was changed.' : form(count, { one: 'Your password was changed, and 1 other session was signed out.', other: `Your password was changed, and ${count} other sessions were signed out.` }),
  renameTooSoon: (left_ms: number) => `You can change your name again in ${left(left_ms)}.`,
  /** The mark of a guest on the page of a player. */
  guestMark: 'Guest',
};

/** The page for signing in. */
export const signIn = {
  title: 'Sign in',
  name: 'Name',
  password: 'Password',
  show: 'Show password',
  submit: 'Sign in',
  wrong: 'The name or the password is wrong.',
  withKey: 'Sign in with a recovery key',
  key: 'Recovery key',
  wrongKey: 'This recovery key is wrong or no longer valid.',
  noAccount: 'No account yet?',
  busy: 'The server is busy. Try again in a moment.',
  question: (name: string) => `Leave the guest ${name}?`,
  leaves: (name: string) => `You play as the guest ${name} now. The tables and matches of ${name} do not move with you. You can return to ${name} from the menu of this browser, as long as it keeps its data.`,
  stay: (name: string) => `Stay ${name}`,
};

/** The page for a forgotten password. */
export const passwordReset = {
  title: 'Reset your password',
  link: 'Forgot your password?',
  hint: 'We send a link to the email address of your account, if you have added and confirmed one.',
  send: 'Send the link',
  sent: (name: string) => `If ${name} has a confirmed email address, a link is on its way. Open it within an hour.`,
  withoutMail: 'Without an email address you can sign in with your recovery key.',
  notOffered: 'This server does not send emails. Sign in with your recovery key.',
  invalidLink: 'This link was used already or has expired. Request another one.',
  endsSessions: 'You will be signed out everywhere.',
  save: 'Set the new password',
  done: 'Your password was changed, and you were signed out everywhere. Sign in with the new password.',
};

/** The recovery key, with which a user without an account signs in again. */
export const recoveryKey = {
  title: 'Recovery key',
  hint: (name: string) => `With a recovery key you can play as ${name} again when you have lost this browser’s data, or have forgotten your password.`,
  exists: 'You have a recovery key.',
  create: 'Create a recovery key',
  renew: 'Replace the key',
  remove: 'Delete the key',
  removed: 'The recovery key was deleted. It no longer works.',
  shown: 'Your recovery key',
  label: 'Recovery key',
  warning: 'Keep it in a safe place, such as a password manager. It is shown only now. Anyone who has it can play as you.',
  replaced: 'An earlier key no longer works.',
  copy: 'Copy',
  download: 'Download',
  /** The content of the downloaded file. */
  file: (name: string, key: string, link: string) => `Recovery key of ${name} for Quadrex: ${key}\nSign in with it at ${link}`,
  keep: 'Keep your matches',
  keepHint: (name: string) => `Only this browser knows that you are ${name}. If its data is deleted, you cannot return.`,
};

/** The tokens with which programs act as the user. */
export const tokens = {
  title: 'Tokens for programs',
  hint: 'A program with a token acts as you, for example a bot or a tool of your own.',
  create: 'Create a token',
  name: 'Name',
  nameHint: 'Helps you recognize the program later.',
  invalidName: 'Enter a name of up to 60 characters.',
  may: 'What the program may do',
  read: 'Every token may watch tables and read your own data.',
  scopes: { read: 'Read', play: 'Play', host: 'Host', bot: 'Bot', admin: 'Operator' } satisfies Record<TokenScope, string>,
  scopeHints: {
    play: 'Take seats, move and chat.',
    host: 'Create tables and links, and manage them.',
    bot: 'Play, but marked as a bot.',
    admin: 'Search for users, suspend and rename them.',
  },
  lifetime: 'Valid for',
  days: (ms: number) => span(ms),
  neverExpires: 'Does not expire',
  expires: (day: string) => `Expires on ${day}`,
  neverUsed: 'Never used',
  shown: 'Your new token',
  warning: 'Copy it now: it is not shown again. Anyone who has it can act as you within its rights.',
  revokeOf: (name: string) => `Revoke: ${name}`,
  revoked: (name: string) => `Revoked: ${name}.`,
};

/** The personal data that the server stores about the user. */
export const personalData = {
  title: 'Your data',
  hint: 'A file with everything that this server stores about you: your profile, sessions, tokens, ratings, tables and matches. The moves of your matches are in the archive.',
  download: 'Download your data',
};

/** The deletion of the user with all data. */
export const deletion = {
  title: 'Delete your account',
  titleOfGuest: 'Delete your data',
  hint: 'This cannot be undone.',
  open: 'Delete account…',
  openForGuest: 'Delete data…',
  question: (name: string) => `Delete ${name} for good?`,
  goes: 'These are deleted: your name, your sign-in, all sessions and tokens, your ratings, and what the server has stored about you. You leave open tables and resign running matches.',
  stays: 'Past matches stay in the archive, because they belong to the other players too. “Deleted user” stands there in place of your name.',
  exportFirst: 'If you want a copy of your data, download it first.',
  confirm: 'Delete for good',
};
