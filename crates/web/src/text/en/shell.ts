import { span } from './amounts.ts';

/** What stands around every page. */
export const shell = {
  brand: 'Quadrex',
  line: { connecting: 'Connecting…', online: 'Online', reconnecting: 'Reconnecting…' },
  outdated: 'A new version is there',
  reload: 'Reload',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy link',
  copied: 'Copied',
  guest: (name: string) => `You play as ${name}`,
  licences: 'Licences',
  toLobby: 'To the lobby',
};

/** Going on from another device. */
export const handover = {
  open: 'Go on from another device',
  hint: (left_ms: number) =>
    `Open this link on the other device: there you are the same player. It is good once, for ${span(left_ms)}. Do not give it to anybody else.`,
  label: 'Link for another device',
};
