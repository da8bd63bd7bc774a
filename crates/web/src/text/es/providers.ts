import type { Catalogue } from '../index.ts';

export const signInFailed: Catalogue['signInFailed'] = (code) => {
  switch (code) {
    case 'provider_refused':
      return 'No permitiste el inicio de sesión.';
    case 'stale_sign_in':
      return 'Este inicio de sesión tardó demasiado o ya se usó. Inténtalo otra vez.';
    case 'already_connected':
      return 'Esa cuenta ya está vinculada a otra cuenta de aquí.';
    case 'other_connected':
      return 'Ya inicias sesión con otra cuenta de este servicio. Desvincúlala primero.';
    default:
      return 'No se pudo iniciar sesión. Inténtalo más tarde.';
  }
};

export const providers: Catalogue['providers'] = {
  or: 'O con una cuenta que ya tienes:',
  continueWith: (name) => `Continuar con ${name}`,
  completeHint: (name) => `Elige el nombre de tu nueva cuenta. A partir de ahora inicias sesión con ${name}.`,
  hasAccount: (name) => `¿Ya tienes una cuenta aquí? Inicia sesión con ella y vincula ${name} en los ajustes.`,
  nameHint: 'Los demás jugadores ven este nombre.',
  expired: 'Este inicio de sesión ha caducado. Empieza otra vez.',
  title: 'Otras formas de iniciar sesión',
  hint: 'Vincula una cuenta de otro servicio para iniciar sesión con ella.',
  connected: (name, day) => `Vinculada como ${name} desde el ${day}`,
  connectedSince: (day) => `Vinculada desde el ${day}`,
  notConnected: 'Sin vincular',
  connect: 'Vincular',
  connectOf: (name) => `Vincular ${name}`,
  disconnect: 'Desvincular',
  disconnectOf: (name) => `Desvincular ${name}`,
  disconnected: (name) => `Ya no inicias sesión con ${name}.`,
  lastSignIn: 'Sin ella no podrías iniciar sesión. Elige primero una contraseña.',
  setPassword: 'Elegir una contraseña',
  passwordSet: 'Ahora puedes iniciar sesión con tu nombre y tu contraseña.',
};
