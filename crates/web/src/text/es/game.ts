import type { AbortCause, Cause, Color, Reason } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { variantTexts } from '../variants.ts';
import { withFallback } from '../with-fallback.ts';

/** The names of the players. They are feminine plurals, as in `las blancas`. */
export const colors: Record<Color, string> = {
  white: 'Blancas',
  black: 'Negras',
  red: 'Rojas',
  blue: 'Azules',
  yellow: 'Amarillas',
  green: 'Verdes',
};

/** The adjectives of the colors, masculine and feminine. */
const adjectives: Record<Color, readonly [string, string]> = {
  white: ['blanco', 'blanca'],
  black: ['negro', 'negra'],
  red: ['rojo', 'roja'],
  blue: ['azul', 'azul'],
  yellow: ['amarillo', 'amarilla'],
  green: ['verde', 'verde'],
};

export const roles: Record<RoleLetter, string> = {
  P: 'peón',
  N: 'caballo',
  B: 'alfil',
  R: 'torre',
  Q: 'dama',
  K: 'rey',
};

/** Returns whether the noun of a piece is feminine. */
export function isFeminine(role: RoleLetter): boolean {
  return role === 'R' || role === 'Q';
}

/** Returns a player with the article: `las rojas`. */
export function the(color: Color): string {
  return `las ${colors[color].toLowerCase()}`;
}

/** Returns a player with the article at the beginning of a sentence: `Las rojas`. */
export function The(color: Color): string {
  return `Las ${colors[color].toLowerCase()}`;
}

/** Returns a piece without an article: `alfil rojo`, `torre roja`. */
export function piece(color: Color, role: RoleLetter): string {
  return `${roles[role]} ${adjectives[color][isFeminine(role) ? 1 : 0]}`;
}

/** Returns a piece with its article: `el alfil rojo`, `la torre roja`. */
export function thePiece(color: Color, role: RoleLetter): string {
  return `${isFeminine(role) ? 'la' : 'el'} ${piece(color, role)}`;
}

/** Returns a piece with its demonstrative: `este alfil`, `esta torre`. */
export function thisPiece(role: RoleLetter): string {
  return `${isFeminine(role) ? 'esta' : 'este'} ${roles[role]}`;
}

const rolePlurals: Record<RoleLetter, string> = { P: 'peones', N: 'caballos', B: 'alfiles', R: 'torres', Q: 'damas', K: 'reyes' };

/** Returns a number of pieces of a kind: `1 torre`, `2 torres`. */
export function roleCount(count: number, role: RoleLetter): string {
  return `${count} ${(count === 1 ? roles : rolePlurals)[role]}`;
}

/** Returns a number of pieces of a kind and a color: `1 torre roja`, `2 torres rojas`. */
export function pieceCount(count: number, color: Color, role: RoleLetter): string {
  if (count === 1) return `1 ${piece(color, role)}`;
  const feminine = colors[color].toLowerCase();
  return `${count} ${rolePlurals[role]} ${isFeminine(role) ? feminine : feminine.replace(/as$/, 'os')}`;
}

export const causes: Record<Cause, string> = withFallback({
  mate: 'Jaque mate',
  resign: 'Rendición',
  time: 'Sin tiempo',
  absence: 'Desconexión',
}, 'Eliminadas');

export const shortCauses: Record<Cause, string> = withFallback({ mate: 'mate', resign: 'se rinden', time: 'tiempo', absence: 'ausentes' }, 'fuera');

export const reasons: Record<Reason, string> = withFallback({
  mate: 'por jaque mate',
  stalemate: 'por ahogado',
  repetition: 'por repetición',
  moves: 'por la regla de las 50 jugadas',
  material: 'por material insuficiente',
  agreement: 'de mutuo acuerdo',
  resign: 'por rendición',
  time: 'por tiempo',
  absence: 'por desconexión',
}, 'por otra regla');

export const abortCauses: Record<AbortCause, string> = withFallback({
  agreement: 'de mutuo acuerdo',
  first_move: 'un jugador no hizo su primera jugada a tiempo',
  absence: 'un jugador no volvió',
  operator: 'por la moderación',
}, 'por otro motivo');

export const variants = variantTexts(
  { dilkel: 'Dilkel', 'dilkel-compact': 'Dilkel compacto', classic: 'Clásico' },
  (players, { files, ranks, corner }, squares) => {
    const people = ['Dos jugadores', 'Tres jugadores', 'Cuatro jugadores'][players - 2];
    return `${people}, ${corner === 0 ? `tablero de ${files}×${ranks}` : `cruz de ${squares} casillas`}`;
  },
  'Juego desconocido',
);
