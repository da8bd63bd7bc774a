//! The reserve of a player: captured pieces that a promotion may bring back (rule D5).

use crate::role::Role;

/// A player's own captured rooks, bishops and knights that no promotion has brought back yet (rule
/// D5).
///
/// ```
/// use quadrex_rules::{Reserve, Role};
///
/// let reserve = Reserve { rooks: 2, ..Reserve::EMPTY };
/// assert_eq!(reserve.count(Role::Rook), 2);
/// // Always available, and never counted.
/// assert_eq!(reserve.count(Role::Queen), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reserve {
    /// The number of available knights.
    pub knights: u8,
    /// The number of available bishops.
    pub bishops: u8,
    /// The number of available rooks.
    pub rooks: u8,
}

impl Reserve {
    /// The empty reserve.
    pub const EMPTY: Self = Self { knights: 0, bishops: 0, rooks: 0 };

    /// The greatest number of pieces of one kind in the reserve of a set-up with sixteen pieces on
    /// the board (rule S3). For each piece that is missing on the board, the reserve may have one
    /// piece more, because the missing piece may have been captured.
    pub const MAX_GIVEN: u8 = 10;

    /// Returns the number of available pieces of a role. It is 0 for queens, kings and pawns (rule
    /// D5).
    #[must_use]
    pub const fn count(self, role: Role) -> u8 {
        match role {
            Role::Knight => self.knights,
            Role::Bishop => self.bishops,
            Role::Rook => self.rooks,
            Role::Pawn | Role::Queen | Role::King => 0,
        }
    }
}
