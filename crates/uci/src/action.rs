//! Actions in a game: moves and the tokens of `docs/UCI.md`.

use std::fmt;

use quadrex_rules::{Color, Move};

/// An action among the moves of a `position` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// `h2h4`
    Move(Move),
    /// `red-resigns`
    Resigns(Color),
    /// `red-flags`
    Flags(Color),
    /// `draw-agreed`
    DrawAgreed,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Resigns(color) => write!(f, "{color}-resigns"),
            Self::Flags(color) => write!(f, "{color}-flags"),
            Self::DrawAgreed => f.write_str("draw-agreed"),
        }
    }
}

impl Action {
    /// Parses a move or a token; `None` for any other word.
    pub(super) fn parse(word: &str) -> Option<Self> {
        if word == "draw-agreed" {
            return Some(Self::DrawAgreed);
        }
        match word.split_once('-') {
            Some((color, "resigns")) => Some(Self::Resigns(color.parse().ok()?)),
            Some((color, "flags")) => Some(Self::Flags(color.parse().ok()?)),
            Some(_) => None,
            None => Some(Self::Move(word.parse().ok()?)),
        }
    }
}
