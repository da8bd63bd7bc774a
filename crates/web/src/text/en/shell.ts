import type { RefusalCode } from '../../protocol/generated.ts';
import { capitalize } from '../capitalize.ts';
import { span } from './amounts.ts';

/**
 * Returns a message of the server as a sentence. A first word that is not made of letters alone,
 * such as `e2`, stays unchanged.
 */
function whole(phrase: string): string {
  const begun = /^[a-z]+\b/.test(phrase) ? capitalize(phrase) : phrase;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** The texts of refusals whose messages are written for programs. */
const refusals: Partial<Record<RefusalCode, string | ((message: string) => string)>> = {
  malformed: (message) => `The server could not read this: ${message}`,
  unknown_type: (message) => `This server does not know this: ${message}`,
  hello_expected: 'The connection failed. Reload the page.',
  bad_token: 'Your session is no longer valid. Reload the page.',
  unauthenticated: 'You have no session yet. Reload the page.',
  kicked: 'The host removed you from this table.',
  player_blocked: 'You have blocked somebody at this table. To sit down, unblock them first.',
  seat_taken: 'This seat is already taken.',
  table_full: 'All seats are taken.',
  already_seated: 'You already have a seat at this table.',
  not_seated: 'You do not have this seat.',
  which_seat: 'You have several seats: which one is this for?',
  substituted: 'A bot is playing for you. Resume your seat first.',
  no_such_seat: 'This color does not play here.',
  bad_invite: 'This invite no longer works, or it is for another seat.',
  bad_handover: 'This link was used or has expired.',
  bad_mail_link: 'This link is no longer valid.',
  wrong_credentials: 'The name or the password is wrong.',
  name_taken: 'This name is taken. Try another one.',
  already_account: 'You already have an account.',
  account_needed: 'You need an account for this. Sign up or sign in.',
  outside_rating_range: 'Your rating is outside the range for this table.',
  rated_wait: 'You have left rated matches, so you have to wait a while before the next one.',
  missing_scope: 'This token does not allow that.',
  suspended: 'You are suspended. You can watch, but not play or chat.',
  too_many_tokens: 'You have the maximum number of tokens. Revoke one first.',
  list_full: 'Your list is full. Remove somebody first.',
  not_started: 'The match has not started yet.',
  already_started: 'The match has already started.',
  other_match: 'There is another match at this table now.',
  ended: 'The match is over.',
  eliminated: 'You are out of this match.',
  not_your_turn: 'It is not your turn.',
  stale: 'The board has changed. Look again before you move.',
  paused: 'The match is paused.',
  no_open_request: 'This request is no longer open.',
  wrong_room: 'You are in another chat of this table now.',
  cmd_taken: 'This request was already sent. Try again.',
  bad_origin: 'The request came from another page.',
  closing: 'The server is about to restart. Try again in a moment.',
  internal: (message) => `Server error: ${message}`,
};

/** Texts that appear on every page. */
export const shell = {
  brand: 'Quadrex',
  connection: { connecting: 'Connecting…', online: 'Online', reconnecting: 'Reconnecting…', signed_out: 'Signed out' },
  outdated: 'A new version is available',
  reload: 'Reload',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy link',
  copied: 'Copied',
  guest: (name: string) => `You play as ${name}`,
  deletedUser: 'Deleted user',
  licences: 'Licenses',
  toLobby: 'To the lobby',
  /** The text of a refusal. Without a text for the code, it is the server's message, which names the cause. */
  refusal: (code: RefusalCode, message: string) => {
    const texts = refusals[code];
    if (texts === undefined) return whole(message);
    return typeof texts === 'string' ? texts : texts(message);
  },
  serverUnreachable: 'The server cannot be reached.',
  /** The text of a refusal for a while, in seconds. */
  tooManyRequests: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
};

/** The wait of a user who has left rated matches. */
export const ratedWait = {
  /** The wait, `12 min` or `3 h`. */
  left: (left: string) => `You left rated matches early. You can play the next one in ${left}.`,
  hint: 'Casual matches are always possible. The wait gets shorter with every rated match that you finish.',
};

/** The texts for a suspended user. */
export const suspended = {
  title: 'You are suspended.',
  until: (moment: string) => `You are suspended until ${moment}.`,
  reason: (reason: string) => `Reason: ${reason}`,
  rights: 'You can watch matches, but not play or chat.',
};

/** A warning from the operators. */
export const warning = {
  title: 'A message from the moderators',
  hint: 'Please read this and keep to it. Otherwise you may be suspended.',
  acknowledge: 'I understand',
};

/** Warnings in a browser without storage or cookies. */
export const storage = {
  cookies: 'Cookies are blocked, so the server cannot recognize you. You can watch; to play, allow cookies for this page and reload it.',
  links: 'This browser does not store data for this page. Save the link: you need it to return to this table.',
};

/** The form for the user's name. */
export const ownName = {
  title: 'Choose a name',
  label: 'Your name',
  hint: 'Other players see it. You can change it on your profile page at any time.',
  play: (chosen: string) => `Play as ${chosen}`,
  change: 'Change name',
  save: 'Save',
  unavailable: 'This name is not available. Try another one.',
};

/** The main links. */
export const nav = {
  label: 'Pages',
  skip: 'Skip to the content',
  play: 'Play',
  archive: 'Archive',
  ratings: 'Leaderboard',
  analysis: 'Analysis',
  rules: 'Rules',
  settings: 'Settings',
  page: 'Your page',
  menu: (name: string) => `${name}: menu`,
};

/** The page for an unknown address. */
export const notFound = {
  title: 'Page not found',
  hint: 'The link may be wrong, or the page no longer exists.',
};

/** The page that appears if a page's code could not be loaded. */
export const notLoaded = {
  title: 'This page could not be loaded',
  hint: 'You are offline, or there is a newer version. Reloading helps in both cases.',
};

/** The link for continuing on another device. */
export const handover = {
  open: 'Continue on another device',
  hint: (left_ms: number) =>
    `Open this link on the other device to continue there as the same player. It works once, within ${span(left_ms)}. Do not share it.`,
  label: 'Link for another device',
};

/** The question at a handover to a browser with another user. */
export const takeOver = {
  title: (name: string) => `Continue here as ${name}?`,
  done: (name: string) => `You are ${name} now. Your games stay as they are, and the menu has the way back.`,
  warning: 'Continue only if you made this link yourself: whoever made it is the same player and sees all that you do.',
  decline: (name: string) => `Stay ${name}`,
  accept: (name: string) => `Continue as ${name}`,
  goBack: (name: string) => `Back to ${name}`,
};
