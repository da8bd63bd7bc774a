//! The long moves of PGN4: `h2-h4`, `Qh1xNn7+`, `b10xRa11=N`, `O-O`.

use alloc::string::String;
use core::fmt::{self, Write as _};
use core::str::FromStr;

use super::castling::{self, Castling};
use super::check_suffix::CheckSuffix;
use crate::any::AnyPosition;
use crate::castling_side::CastlingSide;
use crate::mv::Move;
use crate::role::Role;
use crate::square::Square;

/// Returns the text of a legal move. It consists of the piece's letter (none for a pawn), the first
/// square, `-` or `x` with the captured piece's letter (none for a pawn), the target square, and
/// `=Q` for a promotion. At the end, the text has a `+` for each king that is put in check. It has
/// a `#` for each player who could not end the check on the present board. Castling is `O-O` or
/// `O-O-O`.
///
/// # Panics
/// Panics if no piece stands on the move's first square.
#[must_use]
pub fn text(position: &AnyPosition, mv: Move) -> String {
    let mut text = String::new();
    let _ = write!(text, "{}", LongMove::of(position, mv));
    let suffix = CheckSuffix::of(position, mv);
    text.extend(core::iter::repeat_n('+', suffix.checks));
    text.extend(core::iter::repeat_n('#', suffix.mates));
    text
}

/// A long move as written, without the signs after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LongMove {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// Any other move.
    Piece {
        /// The role of the moved piece.
        role: Role,
        /// The first square.
        from: Square,
        /// The role of the captured piece.
        captured: Option<Role>,
        /// The target square.
        to: Square,
        /// The role after a promotion.
        promotion: Option<Role>,
    },
}

impl LongMove {
    /// Returns the written form of a legal move.
    ///
    /// # Panics
    /// Panics if no piece stands on the move's first square.
    #[must_use]
    pub fn of(position: &AnyPosition, mv: Move) -> Self {
        if let Some(castling) = Castling::of(position, mv) {
            return Self::Castling(castling.side);
        }
        let role = position.piece_at(mv.from).expect("a legal move moves a piece").role;
        let in_passing = is_in_passing(position, mv).then_some(Role::Pawn);
        let captured = position.piece_at(mv.to).map(|piece| piece.role).or(in_passing);
        Self::Piece { role, from: mv.from, captured, to: mv.to, promotion: mv.promotion }
    }

    /// Finds the legal move that the text stands for. The letters in the text must match the pieces
    /// on the board.
    ///
    /// # Errors
    /// Returns a [`LongMoveError`] if the text does not stand for a legal move.
    pub fn find(self, position: &AnyPosition) -> Result<Move, LongMoveError> {
        let mv = match self {
            Self::Castling(side) => castling::find(position, side).ok_or(LongMoveError::Illegal)?,
            Self::Piece { from, to, promotion, .. } => Move { from, to, promotion },
        };
        if let Self::Piece { role, from, .. } = self {
            let stands = position.piece_at(from);
            if stands.is_none_or(|piece| piece.role != role || piece.color != position.turn()) {
                return Err(LongMoveError::OtherPiece { square: from });
            }
        }
        if !position.is_legal(mv) {
            return Err(LongMoveError::Illegal);
        }
        match (self, Self::of(position, mv)) {
            (Self::Piece { captured: said, to, .. }, Self::Piece { captured, .. }) if said != captured => {
                Err(LongMoveError::OtherCapture { square: to })
            }
            _ => Ok(mv),
        }
    }
}

/// Returns whether a move is a capture en passant: a pawn's diagonal move onto an empty square.
pub(super) fn is_in_passing(position: &AnyPosition, mv: Move) -> bool {
    let is_aslant = mv.from.file() != mv.to.file() && mv.from.rank() != mv.to.rank();
    let is_pawn = position.piece_at(mv.from).is_some_and(|piece| piece.role == Role::Pawn);
    is_pawn && is_aslant && position.piece_at(mv.to).is_none()
}

impl fmt::Display for LongMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (role, from, captured, to, promotion) = match *self {
            Self::Castling(side) => return f.write_str(side.text()),
            Self::Piece { role, from, captured, to, promotion } => (role, from, captured, to, promotion),
        };
        push_letter(f, role)?;
        write!(f, "{from}")?;
        match captured {
            Some(captured) => {
                f.write_char('x')?;
                push_letter(f, captured)?;
            }
            None => f.write_char('-')?,
        }
        write!(f, "{to}")?;
        match promotion {
            Some(role) => write!(f, "={}", role.letter()),
            None => Ok(()),
        }
    }
}

/// Writes a piece's letter; nothing for a pawn.
fn push_letter(f: &mut fmt::Formatter<'_>, role: Role) -> fmt::Result {
    if role == Role::Pawn { Ok(()) } else { f.write_char(role.letter()) }
}

/// The reason why a text does not stand for a legal move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LongMoveError {
    /// The text does not have the form of a move.
    #[error("not a move: expected a form like h2-h4, Qh1xNn7, b10xa11=N or O-O")]
    Malformed,
    /// The named piece is not on the square, or does not belong to the mover.
    #[error("{square} has no such piece of the player to move")]
    OtherPiece {
        /// The square.
        square: Square,
    },
    /// The captured piece in the text is not the captured piece on the board.
    #[error("the written capture does not match the piece on {square}")]
    OtherCapture {
        /// The square.
        square: Square,
    },
    /// Our rules do not allow the move.
    #[error("not a legal move")]
    Illegal,
}

/// Parses a long move and skips signs of check and checkmate after it. `=D`, the one-point queen of
/// some sites, is parsed as a queen. The letter after `=` may be lower-case, and castling may be
/// written with zeros.
impl FromStr for LongMove {
    type Err = LongMoveError;

    fn from_str(text: &str) -> Result<Self, LongMoveError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" => return Ok(Self::Castling(CastlingSide::Short)),
            "O-O-O" | "0-0-0" => return Ok(Self::Castling(CastlingSide::Long)),
            _ => {}
        }
        read_piece_move(text).ok_or(LongMoveError::Malformed)
    }
}

/// Returns whether a word is a move with an exit (the sign of an elimination) directly after it, as
/// sites write it: `Kh1-h2R`.
pub(super) fn has_exit(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let mv = text.strip_suffix(['R', 'T', 'S']);
    text.parse::<LongMove>().is_err() && mv.is_some_and(|mv| mv.parse::<LongMove>().is_ok())
}

fn read_piece_move(text: &str) -> Option<LongMove> {
    let (role, text) = split_letter(text);
    let (from, text) = Square::split_from(text)?;
    let (captured, text) = match text.strip_prefix('-') {
        Some(text) => (None, text),
        None => {
            let (captured, text) = split_letter(text.strip_prefix('x')?);
            (Some(captured), text)
        }
    };
    let (to, text) = Square::split_from(text)?;
    let promotion = match text {
        "" => None,
        "=Q" | "=q" | "=D" | "=d" => Some(Role::Queen),
        "=R" | "=r" => Some(Role::Rook),
        "=B" | "=b" => Some(Role::Bishop),
        "=N" | "=n" => Some(Role::Knight),
        _ => return None,
    };
    Some(LongMove::Piece { role, from, captured, to, promotion })
}

/// Splits a text into the role at its start and the rest. Without a piece letter, the role is a
/// pawn.
fn split_letter(text: &str) -> (Role, &str) {
    let letter = text.chars().next().and_then(Role::from_letter);
    match letter {
        Some(role) => (role, &text[1..]),
        None => (Role::Pawn, text),
    }
}

/// Parses a long move and finds it among the legal moves.
///
/// # Errors
/// Returns a [`LongMoveError`] if the text does not stand for a legal move.
pub fn parse(position: &AnyPosition, text: &str) -> Result<Move, LongMoveError> {
    text.parse::<LongMove>()?.find(position)
}
