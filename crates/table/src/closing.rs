//! The time after which a table that nobody attends is closed.

use std::time::Duration;

use quadrex_rules::Timestamp;

use crate::state::{Stage, TableState};

/// The times for which a table stays open while nobody is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseAfter {
    /// The time for a table whose match has not started.
    pub open: Duration,
    /// The time for a table whose match is over.
    pub ended: Duration,
    /// The time for a table whose match does not go on while nobody watches
    /// ([`TableState::sleeps_unwatched`]).
    pub asleep: Duration,
    /// The time after which a table whose match has not started closes even if somebody is present;
    /// `None` if it never does.
    pub never_started: Option<Duration>,
}

impl TableState {
    /// Returns the time at which the table closes even if somebody is present, because its match
    /// has not started.
    #[must_use]
    pub fn closes_unstarted_at(&self, after: CloseAfter) -> Option<Timestamp> {
        match self.stage() {
            Stage::Open if !self.is_closed() => after.never_started.map(|time| self.opened_at() + time),
            Stage::Open | Stage::Running(_) | Stage::Ended(_) => None,
        }
    }

    /// Returns the time for which the table stays open while nobody is present. Returns `None` if
    /// the table is closed, or if its match goes on while nobody watches.
    #[must_use]
    pub fn closes_after(&self, after: CloseAfter) -> Option<Duration> {
        match self.stage() {
            _ if self.is_closed() => None,
            Stage::Open => Some(after.open),
            Stage::Ended(_) => Some(after.ended),
            Stage::Running(_) => self.sleeps_unwatched().then_some(after.asleep),
        }
    }
}
