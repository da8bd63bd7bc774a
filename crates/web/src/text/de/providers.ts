import type { Catalogue } from '../index.ts';

export const signInFailed: Catalogue['signInFailed'] = (code) => {
  switch (code) {
    case 'provider_refused':
      return 'Du hast die Anmeldung nicht erlaubt.';
    case 'stale_sign_in':
      return 'Diese Anmeldung hat zu lange gedauert oder wurde schon benutzt. Versuche es noch einmal.';
    case 'already_connected':
      return 'Jenes Konto ist schon mit einem anderen Konto hier verbunden.';
    case 'other_connected':
      return 'Du meldest dich schon mit einem anderen Konto dieses Dienstes an. Trenne es zuerst.';
    default:
      return 'Die Anmeldung hat nicht geklappt. Versuche es später noch einmal.';
  }
};

export const providers: Catalogue['providers'] = {
  or: 'Oder mit einem Konto, das du schon hast:',
  continueWith: (name) => `Weiter mit ${name}`,
  completeHint: (name) => `Wähle den Namen deines neuen Kontos. Von jetzt an meldest du dich mit ${name} an.`,
  hasAccount: (name) => `Hast du hier schon ein Konto? Melde dich damit an, und verbinde ${name} in den Einstellungen.`,
  nameHint: 'Andere Spieler sehen diesen Namen.',
  expired: 'Diese Anmeldung ist abgelaufen. Beginne noch einmal.',
  title: 'Andere Anmeldungen',
  hint: 'Verbinde ein Konto eines anderen Dienstes, um dich damit anzumelden.',
  connected: (name, day) => `Verbunden als ${name} seit ${day}`,
  connectedSince: (day) => `Verbunden seit ${day}`,
  notConnected: 'Nicht verbunden',
  connect: 'Verbinden',
  connectOf: (name) => `${name} verbinden`,
  disconnect: 'Trennen',
  disconnectOf: (name) => `${name} trennen`,
  disconnected: (name) => `Du meldest dich nicht mehr mit ${name} an.`,
  lastSignIn: 'Du könntest dich dann nicht mehr anmelden. Lege zuerst ein Passwort fest.',
  setPassword: 'Passwort festlegen',
  passwordSet: 'Du kannst dich jetzt mit deinem Namen und deinem Passwort anmelden.',
};
