//! The rules in which variants differ. Everything else is shared.

use alloc::collections::BTreeMap;
use core::fmt::Debug;
use core::ops::IndexMut;

use super::id::Variant;
use crate::color::{Color, Side};
use crate::geometry::Geometry;
use crate::role::{Piece, Role};
use crate::square::Square;

/// The rules of a variant, known at compile time: the short closed list of points in which variants
/// differ. The guide shows [how to add a variant](crate::guide::add_a_variant).
pub trait VariantRules: Copy + Debug + Eq + 'static {
    /// The value that names this variant. A type in another crate that implements this trait uses
    /// the value of the variant whose colors and texts it shares.
    const VARIANT: Variant;

    /// The board.
    type Geometry: Geometry;

    /// One value per color, indexed by turn order: an array of two or four.
    type PerColor<T: Copy + Debug + Eq + 'static>: PerColor<T>;

    /// The colors in turn order. The color on the opposite side of the board comes half the list
    /// later. Only the pawns of this color may be captured en passant (rule D3). Therefore the
    /// number of colors must be even; with an odd number, the code that makes moves does not
    /// compile.
    const COLORS: &'static [Color];

    /// The pieces that each color sets up on its baseline, from its left to its right (rules C1,
    /// D1).
    const BACK_ROWS: &'static [[Role; 8]];

    /// The roles that a pawn may become.
    const PROMOTION: PromotionRule;

    /// The effect of a player's checkmate, resignation or expired clock.
    const DEFEAT: DefeatRule;

    /// The squares where king and rook may stand for a castling right.
    const CASTLING: CastlingRule;

    /// True if all castling rights exist at the start, false if no castling right exists.
    const STARTS_WITH_CASTLING: bool = true;

    /// The pieces at the start: the back rows, with a row of pawns in front of each. A variant with
    /// other start pieces overrides this function.
    #[must_use]
    fn start_pieces() -> BTreeMap<Square, Piece> {
        let mut pieces = BTreeMap::new();
        for (&color, roles) in Self::COLORS.iter().zip(Self::BACK_ROWS) {
            let row = |depth| Self::Geometry::SHAPE.row(color.side(), depth);
            pieces.extend(row(0).zip(roles).map(|(square, &role)| (square, Piece { color, role })));
            pieces.extend(row(1).map(|square| (square, Piece { color, role: Role::Pawn })));
        }
        pieces
    }
}

/// The roles that a pawn may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionRule {
    /// Queen, rook, bishop or knight, whatever is on the board (rule C3).
    Any,
    /// A queen, or a piece from the player's reserve (rule D5).
    Reserve,
}

/// The effect of a player's checkmate, resignation or expired clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefeatRule {
    /// The match ends; the pieces stay where they are (rules C4, G12).
    EndsMatch,
    /// The player's pieces leave the board and the others play on (rules D8, D11).
    Eliminates,
}

/// The squares where king and rook may stand for a castling right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingRule {
    /// The king stands on the e-file and the rooks in the corners, as the letters of FEN imply.
    FromHome,
    /// The king stands anywhere on its baseline, with two or three squares between king and rook
    /// (rule D7).
    AnyRow,
}

/// One value per color of a variant.
pub trait PerColor<T>: Copy + Debug + Eq + IndexMut<usize, Output = T> {
    /// Makes each value from its index in the turn order.
    fn from_fn(make: impl FnMut(usize) -> T) -> Self;
}

impl<T: Copy + Debug + Eq, const N: usize> PerColor<T> for [T; N] {
    #[inline(always)]
    fn from_fn(make: impl FnMut(usize) -> T) -> Self {
        core::array::from_fn(make)
    }
}

/// The side of the board a color plays from.
#[inline(always)]
pub(crate) const fn side<V: VariantRules>(color: usize) -> Side {
    V::COLORS[color].side()
}

/// The color across the board (rule D3).
#[inline(always)]
pub(crate) const fn opposite<V: VariantRules>(color: usize) -> usize {
    const { assert!(V::COLORS.len().is_multiple_of(2), "no color is across the board from another") };
    (color + V::COLORS.len() / 2) % V::COLORS.len()
}
