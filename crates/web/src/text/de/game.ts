import type { AbortCause, Cause, Color, Reason } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { variantTexts } from '../variants.ts';
import { withFallback } from '../with-fallback.ts';

export const colors: Record<Color, string> = {
  white: 'Weiß',
  black: 'Schwarz',
  red: 'Rot',
  blue: 'Blau',
  yellow: 'Gelb',
  green: 'Grün',
};

/**
 * The stem of a color's adjective. The ending depends on the noun: `rot` + `er Springer`, `e Dame`,
 * `en Bauern`.
 */
const stems: Record<Color, string> = {
  white: 'weiß',
  black: 'schwarz',
  red: 'rot',
  blue: 'blau',
  yellow: 'gelb',
  green: 'grün',
};

export const roles: Record<RoleLetter, string> = {
  P: 'Bauer',
  N: 'Springer',
  B: 'Läufer',
  R: 'Turm',
  Q: 'Dame',
  K: 'König',
};

/** The names of the roles in the accusative. It differs from the nominative only for the pawn. */
const taken: Record<RoleLetter, string> = { ...roles, P: 'Bauern' };

/** Returns a piece without an article: `roter Turm`, `rote Dame`. */
export function piece(color: Color, role: RoleLetter): string {
  return `${stems[color]}${role === 'Q' ? 'e' : 'er'} ${roles[role]}`;
}

/** Returns a piece in the accusative: `den roten Turm`, `die rote Dame`. */
export function thePiece(color: Color, role: RoleLetter): string {
  return role === 'Q' ? `die ${stems[color]}e Dame` : `den ${stems[color]}en ${taken[role]}`;
}

/** Returns a piece with its demonstrative: `dieser Turm`, `diese Dame`. */
export function thisPiece(role: RoleLetter): string {
  return role === 'Q' ? `diese ${roles[role]}` : `dieser ${roles[role]}`;
}

/** Returns a seat in the accusative: `den roten Platz`. */
export function theSeat(color: Color): string {
  return `den ${stems[color]}en Platz`;
}

/** Returns the target of a promotion: `zur Dame`, `zum Turm`. */
export function to(role: RoleLetter): string {
  return role === 'Q' ? 'zur Dame' : `zum ${roles[role]}`;
}

/** Returns a seat in the nominative: `der rote Platz`. */
export function seat(color: Color): string {
  return `der ${stems[color]}e Platz`;
}

const rolePlurals: Record<RoleLetter, string> = { P: 'Bauern', N: 'Springer', B: 'Läufer', R: 'Türme', Q: 'Damen', K: 'Könige' };

/** Returns a number of pieces of a kind: `1 Turm`, `2 Türme`. */
export function roleCount(count: number, role: RoleLetter): string {
  return `${count} ${(count === 1 ? roles : rolePlurals)[role]}`;
}

/** Returns a number of pieces of a kind and a color: `1 roter Turm`, `2 rote Türme`. */
export function pieceCount(count: number, color: Color, role: RoleLetter): string {
  return count === 1 ? `1 ${piece(color, role)}` : `${count} ${stems[color]}e ${rolePlurals[role]}`;
}

export const causes: Record<Cause, string> = withFallback({
  mate: 'Mattgesetzt',
  resign: 'Aufgegeben',
  time: 'Zeit abgelaufen',
  absence: 'Abwesend',
}, 'Ausgeschieden');

export const shortCauses: Record<Cause, string> = withFallback({ mate: 'matt', resign: 'gibt auf', time: 'Zeit', absence: 'abwesend' }, 'raus');

export const reasons: Record<Reason, string> = withFallback({
  mate: 'durch Matt',
  stalemate: 'durch Patt',
  repetition: 'durch Stellungswiederholung',
  moves: 'durch die 50-Züge-Regel',
  material: 'durch unzureichendes Material',
  agreement: 'durch Einigung',
  resign: 'durch Aufgabe',
  time: 'durch Zeit',
  absence: 'durch Abwesenheit',
}, 'nach einer anderen Regel');

export const abortCauses: Record<AbortCause, string> = withFallback({
  agreement: 'durch Einigung',
  first_move: 'ein Spieler machte den ersten Zug nicht rechtzeitig',
  absence: 'ein Spieler kam nicht zurück',
  operator: 'durch die Moderation',
}, 'aus einem anderen Grund');

export const variants = variantTexts(
  { dilkel: 'Dilkel', 'dilkel-compact': 'Dilkel kompakt', classic: 'Klassisch' },
  (players, { files, ranks, corner }, squares) => {
    const people = ['Zu zweit', 'Zu dritt', 'Zu viert'][players - 2];
    return `${people}, ${corner === 0 ? `${files}×${ranks} Felder` : `Kreuz mit ${squares} Feldern`}`;
  },
  'Unbekanntes Spiel',
);
