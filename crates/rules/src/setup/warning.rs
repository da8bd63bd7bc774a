//! What lenient reading passes over.

use alloc::string::String;
use alloc::vec::Vec;

use super::Field;
use crate::castling_side::CastlingSide;
use crate::color::Color;
use crate::square::Square;

/// Something that a written position says and that its lenient reading dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}", self.field())]
pub struct SetupWarning {
    /// What was dropped.
    pub what: Dropped,
}

/// What lenient reading may drop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Dropped {
    /// A castling right without a king and a rook in place (G8, D7).
    #[error("{color}'s right to castle {} is dropped: king and rook do not stand for it", side.text())]
    CastlingRight {
        /// Whose.
        color: Color,
        /// To which rook.
        side: CastlingSide,
    },
    /// An en passant right that no capture can follow.
    #[error("{text} is dropped: {reason}")]
    EnPassant {
        /// As it was written.
        text: String,
        /// Why it cannot be.
        reason: String,
    },
    /// A key of the options block that we do not know.
    #[error("the key {key:?} is not known and dropped")]
    Option {
        /// The key.
        key: String,
    },
    /// A piece that some sites leave on the board when its owner is out; here it leaves (D8, D11).
    #[error("the piece on {square} belongs to nobody who plays and is dropped")]
    DeadPiece {
        /// Where it stood.
        square: Square,
    },
    /// That a queen counts one point when taken, as some sites have it.
    #[error("the queen of one point on {square} is read as any queen")]
    OnePoint {
        /// Where it stands.
        square: Square,
    },
    /// A round with the number 0.
    #[error("0 is no round and is read as 1")]
    RoundZero,
}

impl SetupWarning {
    /// The field of the FEN or FEN4 that said it.
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

/// How strictly a position is read.
#[derive(Debug)]
pub(super) enum Reading {
    /// As it is written by us; all else is refused.
    Strict,
    /// As sites and engines write it, with notes of what was dropped.
    Lenient(Vec<SetupWarning>),
}

impl Reading {
    pub(super) fn is_lenient(&self) -> bool {
        matches!(self, Self::Lenient(_))
    }

    pub(super) fn into_warnings(self) -> Vec<SetupWarning> {
        match self {
            Self::Strict => Vec::new(),
            Self::Lenient(warnings) => warnings,
        }
    }

    /// Notes what is dropped; strict reading refuses it instead, and says whether it does.
    pub(super) fn drops(&mut self, what: Dropped) -> bool {
        match self {
            Self::Strict => false,
            Self::Lenient(warnings) => {
                warnings.push(SetupWarning { what });
                true
            }
        }
    }
}
