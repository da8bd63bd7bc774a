//! The questions in which variants differ. Everything else is shared.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::IndexMut;

use super::Variant;
use crate::color::{ByColor, Color, Side};
use crate::geometry::Geometry;
use crate::reserve::Reserve;
use crate::role::{Piece, Role};
use crate::setup::{CastlingRights, Setup};

/// A variant at compile time: a short closed list of answers. [How to add one](crate::guide::add_a_variant).
pub trait VariantRules: Copy + Debug + Eq + 'static {
    /// The value that names this variant; in another crate, the one whose colors and text its positions share.
    const VARIANT: Variant;

    /// The board.
    type Geometry: Geometry;

    /// One value per color, indexed by the place in the turn order: an array of two or four.
    type PerColor<T: Copy + Debug + Eq + 'static>: PerColor<T>;

    /// The colors in turn order. The one across the board is half the list away.
    const COLORS: &'static [Color];

    /// What each color sets up on its baseline, from its left to its right (C1, D1).
    const BACK_ROWS: &'static [[Role; 8]];

    /// What a pawn may become.
    const PROMOTION: PromotionRule;

    /// What a player's mate, resignation or fallen clock means.
    const DEFEAT: DefeatRule;

    /// Where king and rook may stand for a castling right.
    const CASTLING: CastlingRule;

    /// What [`Position::start`](crate::Position::start) starts from: the back rows with eight pawns in front of each,
    /// the first color to move, every castling allowed. A variant that starts otherwise answers otherwise.
    #[must_use]
    fn setup() -> Setup {
        let mut pieces = BTreeMap::new();
        for (&color, roles) in Self::COLORS.iter().zip(Self::BACK_ROWS) {
            let row = |depth| Self::Geometry::SHAPE.row(color.side(), depth);
            pieces.extend(row(0).zip(roles).map(|(square, &role)| (square, Piece { color, role })));
            pieces.extend(row(1).map(|square| (square, Piece { color, role: Role::Pawn })));
        }
        Setup {
            variant: Self::VARIANT,
            pieces,
            turn: Self::COLORS[0],
            eliminated: Vec::new(),
            castling: ByColor::from_fn(|color| {
                let plays = color < Self::COLORS.len();
                CastlingRights { short: plays, long: plays, short_rook: None }
            }),
            double_steps: ByColor::from_fn(|_| None),
            reserves: ByColor::from_fn(|_| Reserve::EMPTY),
            halfmove_clock: 0,
            move_number: (Self::COLORS.len() == 2).then_some(1),
        }
    }
}

/// What a pawn may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionRule {
    /// Queen, rook, bishop or knight, whatever is on the board (C3).
    Any,
    /// A queen, or what the player's reserve holds (D5).
    Reserve,
}

/// What a player's mate, resignation or fallen clock means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefeatRule {
    /// The match is over; the pieces stay where they are (C4, G12).
    EndsMatch,
    /// The player's pieces leave the board and the others play on (D8, D11).
    Eliminates,
}

/// Where king and rook may stand for a castling right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingRule {
    /// The king on the e-file and the rooks in the corners, as FEN means its letters.
    FromHome,
    /// The king anywhere on its baseline with a rook two or three squares of space away (D7).
    AnyRow,
}

/// One value per color of a variant.
pub trait PerColor<T>: Copy + Debug + Eq + IndexMut<usize, Output = T> {
    /// Makes each value from its place in the turn order.
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

/// The color across the board (D3).
#[inline(always)]
pub(crate) const fn opposite<V: VariantRules>(color: usize) -> usize {
    (color + V::COLORS.len() / 2) % V::COLORS.len()
}
