//! The reasons for which moves are illegal, in words that a player understands.

use std::fmt;

use quadrex_rules::{AnyPosition, Color, Move, Piece, Square};

/// The reason for which a move is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalReason {
    /// The move starts from a square that is empty or not on the board.
    NothingThere(Square),
    /// The piece on the start square belongs to another player.
    NotYours(Square, Piece),
    /// The pawn must promote on the target square (RULES C3, D5).
    PromotionMissing(Square),
    /// The move names a piece for a promotion, but no pawn promotes by this move, or the reserve
    /// does not have the piece (RULES D5).
    NoSuchPromotion(Square),
    /// The player is in check, and moving this piece to the target square does not end the check
    /// (RULES G6).
    InCheck(Color, Piece, Square),
    /// The piece cannot move to the target square, or its king would be attacked after the move
    /// (RULES G1 to G6).
    OutOfReach(Piece, Square),
}

impl IllegalReason {
    /// Returns the reason for which `mv` is illegal in `position`.
    #[must_use]
    pub fn of(position: &AnyPosition, mv: Move) -> Self {
        let turn = position.turn();
        let Some(piece) = position.piece_at(mv.from) else {
            return Self::NothingThere(mv.from);
        };
        if piece.color != turn {
            return Self::NotYours(mv.from, piece);
        }
        let legal_to_same_square = position.moves_from(mv.from).into_iter().find(|other| other.to == mv.to);
        match legal_to_same_square {
            Some(_) if mv.promotion.is_none() => Self::PromotionMissing(mv.to),
            Some(_) => Self::NoSuchPromotion(mv.to),
            None if position.checks().any(|color| color == turn) => Self::InCheck(turn, piece, mv.to),
            None => Self::OutOfReach(piece, mv.to),
        }
    }
}

impl fmt::Display for IllegalReason {
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
