//! The absence of a player that is stored beside the log of a match.

use std::time::Duration;

use quadrex_rules::Timestamp;

/// The part of the current turn for which the player to move was disconnected.
///
/// This time is deducted from the player's reconnect bank. The match's log contains the deducted
/// time only after the move, so the server stores a turn absence beside the log until then. Clients
/// never receive it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnAbsence {
    /// The number of the event that began the turn. The value is obsolete once the log has a later
    /// event that changes the turn.
    pub basis: u64,
    /// The time of all absences of this turn that have ended, in whole milliseconds.
    pub spent: Duration,
    /// The start of the current absence, if the player is disconnected now.
    pub since: Option<Timestamp>,
}
