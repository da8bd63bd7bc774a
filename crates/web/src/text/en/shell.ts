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

/** Texts that appear on every page. */
export const shell = {
  brand: 'Quadrex',
  connection: { connecting: 'Connecting…', online: 'Online', reconnecting: 'Reconnecting…' },
  outdated: 'A new version is available',
  reload: 'Reload',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy link',
  copied: 'Copied',
  guest: (name: string) => `You play as ${name}`,
  licences: 'Licenses',
  toLobby: 'To the lobby',
  /** The text of a refusal: the server's own message, which names the cause. */
  refusal: (_code: RefusalCode, message: string) => whole(message),
  serverUnreachable: 'The server cannot be reached.',
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
