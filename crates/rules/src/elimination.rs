//! The elimination of a player: its cause and its record.

use alloc::vec::Vec;

use crate::color::Color;
use crate::serde_text::impl_text_from_name;

/// The cause of an elimination. Text: the lower-case name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The player was checkmated when its turn came (rule D8).
    Mate,
    /// The player resigned (rule G12).
    Resign,
    /// The player ran out of time (rule G12).
    Time,
    /// The player was removed for absence, which counts like expired time (rule D11).
    Absence,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 4] = [Self::Mate, Self::Resign, Self::Time, Self::Absence];

    /// The name as written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Absence => "absence",
        }
    }
}

/// The error for a text that names no cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a cause: expected mate, resign, time or absence")]
pub struct CauseError;

impl_text_from_name!(Cause: CauseError);

/// The elimination of one player (rules D8, D11).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Elimination {
    /// The eliminated player.
    pub color: Color,
    /// The cause.
    pub cause: Cause,
    /// For a checkmate, the players whose pieces attacked the king, in turn order (rule D12);
    /// otherwise empty.
    pub by: Vec<Color>,
}
