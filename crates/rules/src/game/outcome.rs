//! The end of a match: its reason and the final places.

use alloc::vec::Vec;

use crate::color::Color;
use crate::elimination::Cause;
use crate::serde_text::impl_text_from_name;

/// The reason for the end of a match. Text: the lower-case name.
///
/// If a single player is left, the reason is the cause of the last elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Checkmate (rules C4, D8).
    Mate,
    /// Stalemate (rules C4, D9).
    Stalemate,
    /// Repetition of a position (rules G10, G11).
    Repetition,
    /// 50 or 75 moves by each player still in the match (rules G11, D14).
    Moves,
    /// A dead position (rules C5, D13).
    Material,
    /// Every player still in the match accepted a draw (rule G9).
    Agreement,
    /// Resignation (rule G12).
    Resign,
    /// Expired time (rule G12). Against a bare king the match is drawn (rule C6).
    Time,
    /// Removal for absence (rule D11).
    Absence,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::Mate,
        Self::Stalemate,
        Self::Repetition,
        Self::Moves,
        Self::Material,
        Self::Agreement,
        Self::Resign,
        Self::Time,
        Self::Absence,
    ];

    /// The name as written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Moves => "moves",
            Self::Material => "material",
            Self::Agreement => "agreement",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Absence => "absence",
        }
    }
}

impl From<Cause> for Reason {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Mate => Self::Mate,
            Cause::Resign => Self::Resign,
            Cause::Time => Self::Time,
            Cause::Absence => Self::Absence,
        }
    }
}

/// The error for a text that names no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a reason: expected mate, stalemate, repetition, moves, material, agreement, resign, time or absence"
)]
pub struct ReasonError;

/// The cause of a match's end without places. Text: the lower-case name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AbortCause {
    /// All players still in the match agreed.
    Agreement,
    /// A player did not make its first move in time.
    FirstMove,
    /// An absent player did not return while the others waited.
    Absence,
    /// An operator of the server closed the table.
    Operator,
}

impl AbortCause {
    /// Every cause.
    pub const ALL: [Self; 4] = [Self::Agreement, Self::FirstMove, Self::Absence, Self::Operator];

    /// The name as written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agreement => "agreement",
            Self::FirstMove => "first_move",
            Self::Absence => "absence",
            Self::Operator => "operator",
        }
    }
}

/// The error for a text that names no cause of an abort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a cause of an abort: expected agreement, first_move, absence or operator")]
pub struct AbortCauseError;

impl_text_from_name!(AbortCause: AbortCauseError, Reason: ReasonError);

/// The final places. 1 is the best place; players with equal numbers share a place (rule D12).
///
/// Serialised as a map from color to place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places(Vec<(Color, u8)>);

impl Places {
    /// The places of the colors, in turn order.
    #[must_use]
    pub fn new(places: Vec<(Color, u8)>) -> Self {
        Self(places)
    }

    /// Returns the place of a color; `None` for a color of another variant.
    #[must_use]
    pub fn get(&self, color: Color) -> Option<u8> {
        self.iter().find_map(|(other, place)| (other == color).then_some(place))
    }

    /// Returns every color with its place, in turn order.
    pub fn iter(&self) -> impl Iterator<Item = (Color, u8)> + '_ {
        self.0.iter().copied()
    }

    /// Returns whether the best place is shared, which means that the match was drawn.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.iter().filter(|&(_, place)| place == 1).count() > 1
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Places {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Places {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let places = alloc::collections::BTreeMap::<Color, u8>::deserialize(deserializer)?;
        Ok(Self(places.into_iter().collect()))
    }
}

/// The outcome of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The reason.
    pub reason: Reason,
    /// The final places.
    pub places: Places,
}
