//! Warnings of lenient reading.

use alloc::string::String;
use alloc::vec::Vec;

use super::Field;
use crate::castling_side::CastlingSide;
use crate::color::Color;
use crate::square::Square;

/// Something in a written position that lenient reading dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}", self.field())]
pub struct SetupWarning {
    /// The dropped part.
    pub what: Dropped,
}

/// The parts that lenient reading may drop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Dropped {
    /// A castling right without a king and a rook in place (rules G8, D7).
    #[error("{color}'s right to castle {} is dropped: king and rook are not in place", side.text())]
    CastlingRight {
        /// The owner.
        color: Color,
        /// The castling side.
        side: CastlingSide,
    },
    /// An en passant right that allows no capture.
    #[error("{text} is dropped: {reason}")]
    EnPassant {
        /// The text as written.
        text: String,
        /// The reason.
        reason: String,
    },
    /// An unknown key of the options block.
    #[error("the unknown key {key:?} is dropped")]
    Option {
        /// The key.
        key: String,
    },
    /// A piece of an eliminated player. Some sites leave such a piece on the board, but by our
    /// rules the piece leaves the board (rules D8, D11).
    #[error("the piece on {square} has no owner in the game and is dropped")]
    DeadPiece {
        /// The square of the piece.
        square: Square,
    },
    /// The mark of a queen that counts only one point when it is captured. Some sites have such
    /// queens.
    #[error("the queen of one point on {square} is read as any queen")]
    OnePoint {
        /// The square of the piece.
        square: Square,
    },
    /// A round with the number 0.
    #[error("0 is not a round number and is read as 1")]
    RoundZero,
}

impl SetupWarning {
    /// Returns the field of the FEN or FEN4 that contains the dropped part.
    #[must_use]
    pub fn field(&self) -> Field {
        match self.what {
            Dropped::CastlingRight { .. } => Field::Castling,
            Dropped::EnPassant { .. } => Field::EnPassant,
            Dropped::Option { .. } => Field::Options,
            Dropped::DeadPiece { .. } | Dropped::OnePoint { .. } => Field::Board,
            Dropped::RoundZero => Field::MoveNumber,
        }
    }
}

/// The strictness of reading a position.
#[derive(Debug)]
pub(crate) enum Reading {
    /// Accepts only our own form. Everything else is refused.
    Strict,
    /// Accepts the forms of sites and engines. The list contains the dropped parts.
    Lenient(Vec<SetupWarning>),
}

impl Reading {
    pub(crate) fn is_lenient(&self) -> bool {
        matches!(self, Self::Lenient(_))
    }

    pub(crate) fn into_warnings(self) -> Vec<SetupWarning> {
        match self {
            Self::Strict => Vec::new(),
            Self::Lenient(warnings) => warnings,
        }
    }

    /// Records a dropped part and returns true. In strict reading, returns false, and the caller
    /// refuses the part.
    pub(crate) fn drops(&mut self, what: Dropped) -> bool {
        match self {
            Self::Strict => false,
            Self::Lenient(warnings) => {
                warnings.push(SetupWarning { what });
                true
            }
        }
    }
}
