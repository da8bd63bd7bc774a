import type { RoleLetter } from '../../store/pieces.ts';
import type { PreferenceValues } from '../../store/preferences.ts';
import flat from './pieces-flat.json' with { type: 'json' };
import tokens from './pieces-tokens.json' with { type: 'json' };
import standard from './pieces.json' with { type: 'json' };

/*
 * The standard set is Colin M. L. Burnett's chess set, under the three-clause BSD licence (PIECES-LICENCE beside this
 * file), taken from the npm package @chessire/pieces 1.0.3. Changed here: one set of shapes for all colors, whose body,
 * outline and inner lines take their colors from the page; circles are paths. The server draws its pictures from the
 * same file.
 *
 * The flat set and the tokens are drawn for Quadrex and have its licence, MIT or Apache 2.0.
 */

/** A part of a piece's shape, in a square of 45 x 45. */
export interface ShapePart {
  /**
   * The kind of part: the body, an outline, a line within the body, or the knight's eye. On tokens,
   * it is a line or an area of the sign.
   */
  readonly kind: string;
  readonly d: string;
  readonly cap?: string;
  readonly join?: string;
}

/** The name of a set of pieces. */
export type PieceSet = PreferenceValues['pieces'];

/** The shapes of all pieces, by set. */
export const PIECE_SETS: Readonly<Record<PieceSet, Readonly<Record<RoleLetter, readonly ShapePart[]>>>> = { standard, flat, tokens };
