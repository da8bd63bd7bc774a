//! The part of a running match that is stored beside its log.

use std::time::Duration;

use quadrex_rules::Timestamp;

/// The time of the reconnect bank of the player to move that the log of a match does not have. It is
/// stored beside the log and never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnAway {
    /// The event since which the log does not have it; it is void once the log has a later event that
    /// changes the turn.
    pub basis: u64,
    /// The time spent, in whole milliseconds, without the running part.
    pub spent: Duration,
    /// The moment from which the bank runs, if it does.
    pub since: Option<Timestamp>,
}
