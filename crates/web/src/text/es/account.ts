import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { left, span } from './amounts.ts';

const form = pluralForms('es');

export const sessions: Catalogue['sessions'] = {
  title: 'Dónde tienes la sesión abierta',
  hint: 'Cierra la sesión en todo lo que no reconozcas.',
  current: 'Este navegador',
  unknownBrowser: 'Navegador desconocido',
  program: 'Programa',
  used: (ago) => `Último uso: ${ago}`,
  since: (day) => `Sesión abierta el ${day}`,
  signOut: 'Cerrar sesión',
  signOutOf: (name) => `Cerrar sesión: ${name}`,
  signOutOthers: 'Cerrar las demás sesiones',
  signedOut: (name) => `Sesión cerrada: ${name}.`,
  signedOutOthers: (count) => (count === 0 ? 'No había ninguna otra sesión.' : form(count, { one: 'Se cerró otra sesión.', other: `Se cerraron otras ${count} sesiones.` })),
  question: '¿Cerrar la sesión en este navegador?',
  lastBrowser: (name) =>
    `Juegas como el invitado ${name} y solo tienes la sesión abierta aquí. Si la cierras, pierdes a ${name} para siempre, con todas sus mesas y partidas. Una clave de recuperación o una cuenta lo evita.`,
  otherBrowsers: (name) => `Para volver a ser ${name}, abre el menú en tu otro dispositivo y elige «Continuar en otro dispositivo».`,
  byKey: (name) => `Para volver a ser ${name}, inicia sesión con tu clave de recuperación.`,
  signOutAnyway: 'Cerrar sesión de todos modos',
};

export const signedOut: Catalogue['signedOut'] = {
  title: 'Sesión cerrada',
  done: (name) => `En este navegador ya no estás como ${name}.`,
  startAgain: 'Jugar como un nuevo invitado',
  deletedTitle: 'Tus datos se han borrado',
  deleted: (name) => `${name} ya no existe. Tus partidas anteriores siguen en el archivo, sin tu nombre.`,
};

export const account: Catalogue['account'] = {
  title: 'Cuenta',
  guest: (name) => `Juegas como el invitado ${name}. Con una cuenta puedes iniciar sesión en cualquier dispositivo, y tu nombre es solo tuyo.`,
  signedIn: (name) => `Has iniciado sesión como ${name}.`,
  create: 'Crear una cuenta',
  createHint: (name) => `Conservas todas las mesas y partidas de ${name}.`,
  nameHint: 'Con este nombre inicias sesión, y los demás jugadores lo ven.',
  passwordHint: 'Al menos 8 caracteres.',
  invalidPassword: 'Elige otra contraseña: de 8 a 128 caracteres, que no sea tu nombre ni una contraseña común.',
  nameTaken: 'Este nombre es de otro jugador. Elige otro.',
  submit: 'Crear cuenta',
  already: 'Ya tienes una cuenta.',
  haveOne: '¿Ya tienes una cuenta?',
  toSettings: 'A los ajustes',
  changePassword: 'Cambiar la contraseña',
  currentPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  wrongPassword: 'Esta no es tu contraseña actual.',
  passwordChanged: (count) =>
    count === 0 ? 'Tu contraseña ha cambiado.' : form(count, { one: 'Tu contraseña ha cambiado y se cerró otra sesión.', other: `Tu contraseña ha cambiado y se cerraron otras ${count} sesiones.` }),
  renameTooSoon: (left_ms) => `Podrás volver a cambiar de nombre dentro de ${left(left_ms)}.`,
  guestMark: 'Invitado',
};

export const signIn: Catalogue['signIn'] = {
  title: 'Iniciar sesión',
  name: 'Nombre',
  password: 'Contraseña',
  show: 'Mostrar la contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El nombre o la contraseña no son correctos.',
  withKey: 'Iniciar sesión con una clave de recuperación',
  key: 'Clave de recuperación',
  wrongKey: 'Esta clave no es correcta o ya no sirve.',
  noAccount: '¿Aún no tienes cuenta?',
  busy: 'El servidor está muy ocupado. Inténtalo de nuevo enseguida.',
  question: (name) => `¿Dejar al invitado ${name}?`,
  leaves: (name) => `Ahora juegas como el invitado ${name}. Las mesas y partidas de ${name} no pasan contigo. Puedes volver a ${name} desde el menú de este navegador, mientras conserve sus datos.`,
  stay: (name) => `Seguir como ${name}`,
};

export const passwordReset: Catalogue['passwordReset'] = {
  title: 'Restablecer la contraseña',
  link: '¿Has olvidado tu contraseña?',
  hint: 'Enviamos un enlace a la dirección de correo de tu cuenta, si has añadido y confirmado una.',
  send: 'Enviar el enlace',
  sent: (name) => `Si ${name} tiene una dirección de correo confirmada, recibirá un enlace. Ábrelo en menos de una hora.`,
  withoutMail: 'Sin dirección de correo puedes iniciar sesión con tu clave de recuperación.',
  notOffered: 'Este servidor no envía correos. Inicia sesión con tu clave de recuperación.',
  invalidLink: 'Este enlace ya se usó o ha caducado. Pide otro.',
  endsSessions: 'Se cerrarán todas tus sesiones.',
  save: 'Guardar la nueva contraseña',
  done: 'Tu contraseña se cambió y se cerraron todas tus sesiones. Inicia sesión con la nueva contraseña.',
};

export const recoveryKey: Catalogue['recoveryKey'] = {
  title: 'Clave de recuperación',
  hint: (name) => `Con una clave puedes volver a jugar como ${name} si pierdes los datos de este navegador o si olvidas tu contraseña.`,
  exists: 'Tienes una clave de recuperación.',
  create: 'Crear una clave',
  renew: 'Sustituir la clave',
  remove: 'Borrar la clave',
  removed: 'La clave se ha borrado y ya no sirve.',
  shown: 'Tu clave de recuperación',
  label: 'Clave de recuperación',
  warning: 'Guárdala en un lugar seguro, por ejemplo en un gestor de contraseñas. Solo se muestra ahora. Quien la tenga puede jugar como tú.',
  replaced: 'Una clave anterior ya no sirve.',
  copy: 'Copiar',
  download: 'Descargar',
  file: (name, key, link) => `Clave de recuperación de ${name} para Quadrex: ${key}\nIniciar sesión: ${link}`,
  keep: 'Conserva tus partidas',
  keepHint: (name) => `Solo este navegador sabe que eres ${name}. Si se borran sus datos, no podrás volver.`,
};

export const tokens: Catalogue['tokens'] = {
  title: 'Tokens para programas',
  hint: 'Un programa con un token actúa en tu nombre, por ejemplo un bot o una herramienta tuya.',
  create: 'Crear un token',
  name: 'Nombre',
  nameHint: 'Para que reconozcas el programa.',
  invalidName: 'Escribe un nombre de 60 caracteres como máximo.',
  may: 'Qué puede hacer el programa',
  read: 'Todos los tokens pueden mirar mesas y leer tus propios datos.',
  scopes: { read: 'Leer', play: 'Jugar', host: 'Ser anfitrión', bot: 'Como bot', admin: 'Administrar' },
  scopeHints: {
    play: 'Ocupar asientos, jugar y chatear.',
    host: 'Crear mesas y enlaces, y gestionarlos.',
    bot: 'Jugar, pero marcado como bot.',
    admin: 'Buscar usuarios, suspenderlos y cambiarles el nombre.',
  },
  lifetime: 'Válido durante',
  days: (ms) => span(ms),
  neverExpires: 'No caduca',
  expires: (day) => `Caduca el ${day}`,
  neverUsed: 'Nunca usado',
  shown: 'Tu nuevo token',
  warning: 'Cópialo ahora: no se vuelve a mostrar. Quien lo tenga puede actuar en tu nombre con sus permisos.',
  revokeOf: (name) => `Anular: ${name}`,
  revoked: (name) => `Anulado: ${name}.`,
};

export const personalData: Catalogue['personalData'] = {
  title: 'Tus datos',
  hint: 'Un archivo con todo lo que este servidor guarda sobre ti: perfil, sesiones, tokens, puntuaciones, mesas y partidas. Las jugadas de tus partidas están en el archivo de partidas.',
  download: 'Descargar tus datos',
};

export const deletion: Catalogue['deletion'] = {
  title: 'Eliminar tu cuenta',
  titleOfGuest: 'Borrar tus datos',
  hint: 'No se puede deshacer.',
  open: 'Eliminar la cuenta…',
  openForGuest: 'Borrar los datos…',
  question: (name) => `¿Eliminar a ${name} para siempre?`,
  goes: 'Se borran tu nombre, tu acceso, todas las sesiones y los tokens, tus puntuaciones y lo que el servidor guarda sobre ti. Dejas las mesas abiertas y abandonas las partidas en curso.',
  stays: 'Las partidas anteriores siguen en el archivo, porque también son de los demás jugadores. En lugar de tu nombre pone «Deleted user».',
  exportFirst: 'Si quieres una copia de tus datos, descárgala antes.',
  confirm: 'Eliminar para siempre',
};
