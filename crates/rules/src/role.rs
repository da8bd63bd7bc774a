//! Kinds of pieces, and pieces with their owner.

use core::fmt;

use crate::color::Color;
use crate::serde_text::impl_text_from_name;

/// The kind of a piece. It is written and parsed as its lower-case English name.
///
/// ```
/// use quadrex_rules::Role;
///
/// let role: Role = "knight".parse()?;
/// assert_eq!(role.letter(), 'N');
/// assert_eq!(Role::from_letter('N'), Some(role));
/// # Ok::<(), quadrex_rules::RoleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Steps forward, captures diagonally forward (rule G4).
    Pawn,
    /// Leaps (rule G2).
    Knight,
    /// Slides diagonally (rule G1).
    Bishop,
    /// Slides along files and ranks (rule G1).
    Rook,
    /// Slides along files, ranks and diagonals (rule G1).
    Queen,
    /// One square in any direction (rule G3).
    King,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The English letter, upper case: `P`, `N`, `B`, `R`, `Q`, `K`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The lower-case English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }

    /// Returns the role of an upper-case letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }
}

/// The error for a text that names no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a piece: expected pawn, knight, bishop, rook, queen or king")]
pub struct RoleError;

impl_text_from_name!(Role: RoleError);

/// A role with its owner.
///
/// It is written as the letters of the color and the role: `rP`, `wK`. Black and Blue share a
/// letter, so parsing needs the variant: [`Piece::parse`].
///
/// ```
/// use quadrex_rules::{Color, Piece, Role, Variant};
///
/// let piece = Piece { color: Color::Blue, role: Role::Rook };
/// assert_eq!(piece.to_string(), "bR");
/// assert_eq!(Piece::parse(Variant::Dilkel, "bR")?, piece);
/// assert_eq!(Piece::parse(Variant::Classic, "bR")?.color, Color::Black);
/// # Ok::<(), quadrex_rules::PieceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind of piece.
    pub role: Role,
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color.letter(), self.role.letter())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Piece {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
