//! The two ways to castle.

/// Which of a player's two rooks castles (G8, D7): an index into rights and rooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Two squares between king and rook, `O-O`.
    Short,
    /// Three squares between them, `O-O-O`.
    Long,
}

impl CastlingSide {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Short, Self::Long];

    /// As written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Short => "O-O",
            Self::Long => "O-O-O",
        }
    }

    /// Squares from the king to the rook, the rook's own included.
    pub(crate) const fn distance(self) -> u8 {
        match self {
            Self::Short => 3,
            Self::Long => 4,
        }
    }

    /// The right of a color in a set of rights, two bits a color.
    pub(crate) const fn bit(self, color: usize) -> u8 {
        1 << (2 * color + self as usize)
    }
}
