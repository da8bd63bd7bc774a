//! Why a move is not legal, in words a player understands.

use std::fmt;

use quadrex_rules::{AnyPosition, Color, Move, Piece, Square};

/// Why the rules do not allow a move, as far as the position shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing stands on the first square, or the board has no such square.
    NothingThere(Square),
    /// Somebody else's piece stands there.
    NotYours(Square, Piece),
    /// A pawn arriving there must become something (RULES C3, D5).
    PromotionMissing(Square),
    /// The piece asked for is not to be had: not a promotion, or nothing of that kind in the reserve (RULES D5).
    NoSuchPromotion(Square),
    /// The king is attacked and would still be (RULES G6), or the piece does not move like that.
    InCheck(Color, Piece, Square),
    /// The piece cannot go there, or its going would leave its king attacked (RULES G1 to G6).
    OutOfReach(Piece, Square),
}

impl Why {
    /// The reason why `mv`, which is not legal in `position`, is not.
    #[must_use]
    pub fn of(position: &AnyPosition, mv: Move) -> Self {
        let turn = position.turn();
        let Some(piece) = position.piece_at(mv.from) else {
            return Self::NothingThere(mv.from);
        };
        if piece.color != turn {
            return Self::NotYours(mv.from, piece);
        }
        let same_squares = position.moves_from(mv.from).into_iter().find(|other| other.to == mv.to);
        match same_squares {
            Some(_) if mv.promotion.is_none() => Self::PromotionMissing(mv.to),
            Some(_) => Self::NoSuchPromotion(mv.to),
            None if position.checks().any(|color| color == turn) => Self::InCheck(turn, piece, mv.to),
            None => Self::OutOfReach(piece, mv.to),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingThere(from) => write!(f, "no piece stands on {from}"),
            Self::NotYours(from, piece) => write!(f, "the {} on {from} is {}'s", piece.role, piece.color),
            Self::PromotionMissing(to) => write!(f, "a pawn reaching {to} must say what it becomes"),
            Self::NoSuchPromotion(to) => write!(f, "no such piece is to be had on {to}"),
            Self::InCheck(color, piece, to) => {
                write!(f, "{color} is in check, and the {} cannot answer it on {to}", piece.role)
            }
            Self::OutOfReach(piece, to) => {
                write!(f, "the {} cannot go to {to}, or its king would be left attacked", piece.role)
            }
        }
    }
}
