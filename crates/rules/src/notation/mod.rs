//! Written moves and games: SAN and PGN for `classic`, the long moves of PGN4 for the cross boards.
//!
//! [`move_text`] writes a move as its variant does; [`san`] and [`long`] do so for one notation each and read it
//! back.

mod castling;
mod forecast;
pub mod long;
pub mod san;

use alloc::string::String;

pub use castling::Wing;

use crate::any::AnyPosition;
use crate::mv::Move;
use crate::variant::Variant;

/// A legal move as people write it: SAN in `classic`, the long form of PGN4 on the cross boards.
///
/// `position` is the one the move is made in.
///
/// # Panics
/// When no piece stands on the move's first square.
#[must_use]
pub fn move_text(position: &AnyPosition, mv: Move) -> String {
    match position.variant() {
        Variant::Classic => san::text(position, mv),
        Variant::Dilkel | Variant::DilkelCompact => long::text(position, mv),
    }
}
