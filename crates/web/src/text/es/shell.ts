import type { RefusalCode } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { span } from './amounts.ts';

export const shell = {
  brand: 'Quadrex',
  connection: { connecting: 'Conectando…', online: 'En línea', reconnecting: 'Reconectando…', signed_out: 'Sesión cerrada' },
  outdated: 'Hay una versión nueva',
  reload: 'Recargar',
  dismiss: 'Ocultar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  copy: 'Copiar enlace',
  copied: 'Copiado',
  guest: (name: string) => `Juegas como ${name}`,
  deletedUser: 'Usuario eliminado',
  licences: 'Licencias',
  toLobby: 'Ir a la sala',
  refusal: (code: RefusalCode, message: string) => {
    const texts = refusals[code];
    return typeof texts === 'string' ? texts : texts(message);
  },
  serverUnreachable: 'No se puede conectar con el servidor.',
  tooManyRequests: (seconds: number) => `Demasiados intentos. Vuelve a intentarlo dentro de ${seconds} s.`,
};

/**
 * The reasons of refusals. Some contain the server's message, because only the message says what
 * exactly was wrong.
 */
const refusals = withFallback<RefusalCode, string | ((message: string) => string)>(
  {
    malformed: (message) => `El servidor no pudo leerlo: ${message}`,
    unknown_type: (message) => `Este servidor no lo conoce: ${message}`,
    too_large: 'Es demasiado grande.',
    rate_limited: 'Demasiadas peticiones. Espera un momento.',
    hello_expected: 'La conexión falló. Recarga la página.',
    bad_token: 'Tu sesión ya no es válida. Recarga la página.',
    unauthenticated: 'Aún no tienes sesión. Recarga la página.',
    playing: 'Estás jugando una partida de esta variante. Hasta que termine, el motor no te ayuda con ella.',
    not_found: 'No existe, o no es para ti.',
    forbidden: 'No tienes permiso para hacer eso.',
    kicked: 'El anfitrión te expulsó de esta mesa.',
    player_blocked: 'Has bloqueado a alguien de esta mesa. Para sentarte, desbloquéalo primero.',
    seat_taken: 'Este asiento ya está ocupado.',
    table_full: 'Todos los asientos están ocupados.',
    already_seated: 'Ya tienes un asiento en esta mesa.',
    not_seated: 'No tienes este asiento.',
    which_seat: 'Tienes varios asientos: ¿para cuál es?',
    substituted: 'Un bot juega por ti. Recupera primero tu asiento.',
    no_such_seat: 'Este color no juega aquí.',
    bad_invite: 'Esta invitación no sirve, ya se usó o caducó, o es para otro asiento.',
    too_many_links: 'Esta mesa ya tiene el máximo de enlaces. Anula uno primero.',
    bad_handover: 'Este enlace no sirve, ya se usó o caducó.',
    bad_mail_link: 'Este enlace ya no es válido.',
    wrong_credentials: 'El nombre o la contraseña no son correctos.',
    name_taken: 'Este nombre ya está en uso. Prueba otro.',
    invalid_password: 'Esta contraseña es demasiado corta, demasiado larga o fácil de adivinar.',
    already_account: 'Ya tienes una cuenta.',
    account_needed: 'Para esto necesitas una cuenta. Regístrate o inicia sesión.',
    outside_rating_range: 'Tu puntuación está fuera del rango de esta mesa.',
    rated_wait: 'Has abandonado partidas puntuadas y debes esperar un poco antes de la siguiente.',
    provider_failed: 'El proveedor no responde. Inténtalo más tarde.',
    last_sign_in: 'Solo inicias sesión así. Crea antes una contraseña.',
    rename_too_soon: 'Cambiaste tu nombre hace poco.',
    missing_scope: 'Este token no permite hacer eso.',
    suspended: 'Tu usuario está suspendido. Puedes mirar, pero no jugar ni chatear.',
    too_many_tokens: 'Tienes el máximo de tokens. Revoca uno primero.',
    list_full: 'Tu lista está llena. Quita primero a alguien.',
    not_started: 'La partida todavía no ha empezado.',
    already_started: 'La partida ya ha empezado.',
    other_match: 'En esta mesa ya hay otra partida.',
    ended: 'La partida ha terminado.',
    eliminated: 'Quedaste fuera de esta partida.',
    not_your_turn: 'No es tu turno.',
    stale: 'El tablero ha cambiado entretanto. Míralo de nuevo.',
    illegal_move: 'Esta jugada no es legal.',
    paused: 'La partida está en pausa.',
    not_paused: 'No hay ninguna pausa que terminar, o ya no puede empezar otra.',
    no_draw_to_claim: 'Ahora no se pueden reclamar tablas.',
    request_refused: 'Ahora no puedes pedir eso.',
    no_open_request: 'Esta petición ya no está abierta.',
    wrong_room: 'Ahora hablas en otro chat de la mesa.',
    chat_off: 'El anfitrión no permite aquí el chat libre de los jugadores.',
    bad_text: 'El texto está vacío o es demasiado largo.',
    cmd_taken: 'Esta petición ya se envió antes. Inténtalo de nuevo.',
    bad_setup: (message) => `Esta posición no es válida: ${message}`,
    bad_setting: (message) => `Este ajuste no es válido: ${message}`,
    bad_origin: 'La petición vino de otra página.',
    busy: 'El motor está muy ocupado. Inténtalo de nuevo enseguida.',
    closing: 'El servidor se reinicia en un momento. Inténtalo después.',
    internal: (message) => `Error del servidor: ${message}`,
  },
  (message) => `No es posible: ${message}`,
);

export const ratedWait: Catalogue['ratedWait'] = {
  left: (left) => `Has abandonado partidas puntuadas antes de tiempo. Podrás jugar la siguiente dentro de ${left}.`,
  hint: 'Las partidas amistosas siempre son posibles. La espera se acorta con cada partida puntuada que termines.',
};

export const suspended: Catalogue['suspended'] = {
  title: 'Tu usuario está suspendido.',
  until: (moment) => `Tu usuario está suspendido hasta el ${moment}.`,
  reason: (reason) => `Motivo: ${reason}`,
  rights: 'Puedes ver partidas, pero no jugar ni chatear.',
};

export const warning: Catalogue['warning'] = {
  title: 'Un mensaje de los moderadores',
  hint: 'Léelo y tenlo en cuenta, por favor. De lo contrario, podrías quedar suspendido.',
  acknowledge: 'Entendido',
};

export const storage: Catalogue['storage'] = {
  cookies: 'Las cookies están bloqueadas y el servidor no puede reconocerte. Puedes mirar; para jugar, permite las cookies de esta página y recárgala.',
  links: 'Este navegador no guarda datos de esta página. Conserva el enlace: lo necesitas para volver a esta mesa.',
};

export const ownName: Catalogue['ownName'] = {
  title: 'Elige un nombre',
  label: 'Tu nombre',
  hint: 'Los demás jugadores lo ven. Puedes cambiarlo cuando quieras en tu página de jugador.',
  play: (chosen) => `Jugar como ${chosen}`,
  change: 'Cambiar nombre',
  save: 'Guardar',
  unavailable: 'Este nombre no está disponible. Prueba con otro.',
};

export const nav: Catalogue['nav'] = {
  label: 'Páginas',
  skip: 'Saltar al contenido',
  play: 'Jugar',
  archive: 'Archivo',
  ratings: 'Clasificación',
  analysis: 'Análisis',
  rules: 'Reglas',
  settings: 'Ajustes',
  page: 'Tu página',
  menu: (name) => `${name}: menú`,
};

export const notFound: Catalogue['notFound'] = {
  title: 'Página no encontrada',
  hint: 'Quizá el enlace esté mal, o la página ya no exista.',
};

export const notLoaded: Catalogue['notLoaded'] = {
  title: 'No se pudo cargar esta página',
  hint: 'No tienes conexión, o hay una versión más nueva. En ambos casos, recargar ayuda.',
};

export const handover: Catalogue['handover'] = {
  open: 'Continuar en otro dispositivo',
  hint: (left_ms) =>
    `Abre este enlace en el otro dispositivo para continuar allí como el mismo jugador. Sirve una sola vez, durante ${span(left_ms)}. No lo compartas.`,
  label: 'Enlace para otro dispositivo',
};

export const takeOver: Catalogue['takeOver'] = {
  title: (name) => `¿Continuar aquí como ${name}?`,
  done: (name) => `Ahora eres ${name}. Tus partidas quedan como están, y en el menú puedes volver.`,
  warning: 'Continúa solo si creaste tú este enlace: quien lo creó es el mismo jugador y ve todo lo que haces.',
  decline: (name) => `Seguir como ${name}`,
  accept: (name) => `Continuar como ${name}`,
  goBack: (name) => `Volver a ${name}`,
};
