//! Positions of special interest: each has a feature that a generator for four players may get
//! wrong.

mod kings;
mod pawns;
mod players;

use crate::special::Special;

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Special> {
    [kings::POSITIONS, pawns::POSITIONS, players::POSITIONS].into_iter().flatten()
}
