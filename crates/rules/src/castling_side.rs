//! The two sides of castling.

/// One of the two sides to which a king can castle (rules G8, D7). It is the index of castling
/// rights and of rooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Two squares between king and rook, `O-O`; kingside in `classic`.
    Short,
    /// Three squares between king and rook, `O-O-O`; queenside in `classic`.
    Long,
}

impl CastlingSide {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Short, Self::Long];

    /// The castling move in algebraic notation.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Short => "O-O",
            Self::Long => "O-O-O",
        }
    }

    /// The number of squares from the king to the rook, including the rook's square.
    pub(crate) const fn distance(self) -> u8 {
        match self {
            Self::Short => 3,
            Self::Long => 4,
        }
    }

    /// The bit of a color's castling right in a set of rights, which has two bits for each color.
    pub(crate) const fn bit(self, color: usize) -> u8 {
        1 << (2 * color + self as usize)
    }
}
