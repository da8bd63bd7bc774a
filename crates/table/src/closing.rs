//! The time after which a table without people closes.

use std::time::Duration;

use crate::state::{Stage, TableState};

/// Times for which a table without a running match stays open while nobody is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseAfter {
    /// The time of a table with open seats.
    pub open: Duration,
    /// The time of a table whose match is over.
    pub ended: Duration,
    /// The time of a table whose match sleeps: only bots hold seats, and there are no clocks.
    pub asleep: Duration,
}

impl TableState {
    /// Returns the time for which the table stays open while nobody is present; `None` while a match
    /// runs that goes on unwatched, or if the table has closed.
    #[must_use]
    pub fn closes_after(&self, after: CloseAfter) -> Option<Duration> {
        match self.stage() {
            _ if self.is_closed() => None,
            Stage::Open => Some(after.open),
            Stage::Ended(_) => Some(after.ended),
            Stage::Running(_) => self.pauses_unwatched().then_some(after.asleep),
        }
    }
}
