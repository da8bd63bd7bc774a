//! Standard algebraic notation (SAN): the moves of `classic` in PGN.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::castling::{self, Castling};
use super::check_suffix::CheckSuffix;
use crate::any::AnyPosition;
use crate::castling_side::CastlingSide;
use crate::mv::Move;
use crate::role::{Piece, Role};
use crate::square::Square;

/// Returns the text of a legal move. The text contains only the needed part of the first square,
/// `+` for check, and `#` for checkmate.
///
/// # Panics
/// Panics if no piece stands on the move's first square.
#[must_use]
pub fn text(position: &AnyPosition, mv: Move) -> String {
    let mut text = String::new();
    if let Some(castling) = Castling::of(position, mv) {
        text.push_str(castling.side.text());
    } else {
        let piece = position.piece_at(mv.from).expect("a legal move moves a piece");
        push_piece_move(&mut text, position, piece, mv);
    }
    match CheckSuffix::of(position, mv) {
        CheckSuffix { mates: 1.., .. } => text.push('#'),
        CheckSuffix { checks: 1.., .. } => text.push('+'),
        CheckSuffix { .. } => {}
    }
    text
}

fn push_piece_move(text: &mut String, position: &AnyPosition, piece: Piece, mv: Move) {
    let captures = position.piece_at(mv.to).is_some();
    if piece.role == Role::Pawn {
        if mv.from.file() != mv.to.file() {
            text.push(file_letter(mv.from));
            text.push('x');
        }
    } else {
        text.push(piece.role.letter());
        push_origin(text, position, piece, mv);
        if captures {
            text.push('x');
        }
    }
    let _ = write!(text, "{}", mv.to);
    if let Some(role) = mv.promotion {
        text.push('=');
        text.push(role.letter());
    }
}

/// Appends a part of the first square if another piece of the same kind could move to the target
/// too: the file, or else the rank, or else both.
fn push_origin(text: &mut String, position: &AnyPosition, piece: Piece, mv: Move) {
    let rivals: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to == mv.to && other.from != mv.from)
        .filter(|other| position.piece_at(other.from) == Some(piece))
        .map(|other| other.from)
        .collect();
    if rivals.is_empty() {
        return;
    }
    let file_suffices = rivals.iter().all(|rival| rival.file() != mv.from.file());
    let rank_suffices = rivals.iter().all(|rival| rival.rank() != mv.from.rank());
    if file_suffices || !rank_suffices {
        text.push(file_letter(mv.from));
    }
    if !file_suffices {
        let _ = write!(text, "{}", mv.from.rank() + 1);
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

/// The reason why a text does not stand for a legal move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("not a move in algebraic notation")]
    Malformed,
    /// No legal move matches the text.
    #[error("no legal move fits")]
    Illegal,
    /// Several legal moves match the text.
    #[error("more than one legal move fits")]
    Ambiguous,
    /// The text stands for a legal move, but is not its canonical text. Only strict parsing returns
    /// this error.
    #[error("not in the canonical form")]
    Spelling,
}

/// Parses a move as people and programs write it.
///
/// Signs of check, signs of checkmate and annotations after the move are optional and not verified.
/// `x`, `=` and hyphens may be missing. The first square may be complete. Castling may be written
/// with zeros, and a promotion with a lower-case letter. UCI's `e2e4` is accepted too.
///
/// # Errors
/// Returns a [`SanError`] if the text does not stand for exactly one legal move.
pub fn parse(position: &AnyPosition, text: &str) -> Result<Move, SanError> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    match text {
        "O-O" | "0-0" | "o-o" => {
            return castling::find(position, CastlingSide::Short).ok_or(SanError::Illegal);
        }
        "O-O-O" | "0-0-0" | "o-o-o" => {
            return castling::find(position, CastlingSide::Long).ok_or(SanError::Illegal);
        }
        _ => {}
    }
    let pattern = MovePattern::parse(text).ok_or(SanError::Malformed)?;
    let mut matching = position.legal_moves().into_iter().filter(|&mv| pattern.matches(position, mv));
    let mv = matching.next().ok_or(SanError::Illegal)?;
    match matching.next() {
        None => Ok(mv),
        Some(_) => Err(SanError::Ambiguous),
    }
}

/// Parses a move in exactly the form that [`text`] writes.
///
/// # Errors
/// Returns a [`SanError`] if `written` is not the text that [`text`] writes for a legal move.
pub fn parse_strict(position: &AnyPosition, written: &str) -> Result<Move, SanError> {
    let mv = parse(position, written)?;
    if text(position, mv) == written { Ok(mv) } else { Err(SanError::Spelling) }
}

/// The parts of a move's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MovePattern {
    /// The role; `None` if the text has no piece letter. The piece is then a pawn, or any piece if
    /// the first square is complete.
    role: Option<Role>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
}

impl MovePattern {
    fn parse(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        let role = rest.first().and_then(|&letter| Role::from_letter(char::from(letter)));
        if role.is_some() {
            rest = &rest[1..];
        }
        let promotion = match rest {
            [front @ .., b'=', letter] => {
                rest = front;
                Some(Role::from_letter(char::from(letter.to_ascii_uppercase()))?)
            }
            [front @ .., letter @ (b'Q' | b'R' | b'B' | b'N')] => {
                rest = front;
                Role::from_letter(char::from(*letter))
            }
            [front @ .., digit, letter @ (b'q' | b'r' | b'b' | b'n')]
                if digit.is_ascii_digit() && !front.is_empty() =>
            {
                rest = &rest[..rest.len() - 1];
                Role::from_letter(char::from(letter.to_ascii_uppercase()))
            }
            _ => None,
        };
        let (front, file, rank) = match rest {
            [front @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (front, file - b'a', rank - b'1'),
            _ => return None,
        };
        let to = Square::new(file, rank)?;
        let front = match front {
            [front @ .., b'x' | b'-' | b':'] => front,
            _ => front,
        };
        let (file, rank) = match front {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(Self { role, file, rank, to, promotion })
    }

    fn matches(&self, position: &AnyPosition, mv: Move) -> bool {
        let is_complete = self.file.is_some() && self.rank.is_some();
        let role = position.piece_at(mv.from).map(|piece| piece.role);
        let role_matches = match self.role {
            Some(_) => role == self.role,
            None => is_complete || role == Some(Role::Pawn),
        };
        role_matches
            && mv.to == self.to
            && mv.promotion == self.promotion
            && self.file.is_none_or(|file| file == mv.from.file())
            && self.rank.is_none_or(|rank| rank == mv.from.rank())
    }
}
