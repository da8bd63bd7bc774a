//! A move as a player enters it.

use core::fmt;
use core::str::FromStr;

use crate::role::Role;
use crate::serde_text::impl_serde_from_text;
use crate::square::Square;

/// The two squares of a move, and the role of a promoted pawn.
///
/// Text: the form of the Universal Chess Interface, `h2h4`, `b10a11n`; castling is written as the
/// king's move, `g1e1`. The position decides whether the move is legal.
///
/// ```
/// use quadrex_rules::{Move, Role};
///
/// let mv: Move = "b10a11n".parse()?;
/// assert_eq!((mv.from.to_string(), mv.promotion), ("b10".into(), Some(Role::Knight)));
/// assert_eq!(mv, Move::promoting(mv.from, mv.to, Role::Knight));
/// assert_eq!(mv.to_string(), "b10a11n");
/// # Ok::<(), quadrex_rules::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square the piece lands on.
    pub to: Square,
    /// Knight, bishop, rook or queen for a pawn that is promoted; `None` for every other move.
    pub promotion: Option<Role>,
}

impl Move {
    /// A move without promotion.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to, promotion: None }
    }

    /// A move that promotes a pawn.
    #[must_use]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        Self { from, to, promotion: Some(role) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// The error for a text that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move: expected two squares and perhaps one of q r b n, as in h2h4 or b10a11n")]
pub struct MoveError;

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (from, rest) = Square::split_from(text).ok_or(MoveError)?;
        let (to, rest) = Square::split_from(rest).ok_or(MoveError)?;
        let promotion = match rest {
            "" => None,
            "q" => Some(Role::Queen),
            "r" => Some(Role::Rook),
            "b" => Some(Role::Bishop),
            "n" => Some(Role::Knight),
            _ => return Err(MoveError),
        };
        Ok(Self { from, to, promotion })
    }
}

impl_serde_from_text!(Move);
