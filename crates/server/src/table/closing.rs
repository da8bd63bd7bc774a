//! When a table that nobody is at closes.

use std::time::Duration;

use quadrex_protocol::Event;

use super::command::Rejection;
use super::history::Misfit;
use super::state::{Stage, TableState};

/// How long a table without a running match stays when nobody is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseAfter {
    /// One whose seats are not all taken.
    pub open: Duration,
    /// One whose match is over.
    pub ended: Duration,
}

impl TableState {
    /// That the table closes, because nobody was there for so long: the timer's word.
    pub(super) fn decide_close(&self) -> Result<Vec<Event>, Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(vec![Event::Closed {}]),
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
        }
    }

    /// How long it stays when nobody is there; `None` while its match runs, or if it has closed.
    #[must_use]
    pub(super) fn closes_after(&self, after: CloseAfter) -> Option<Duration> {
        match self.stage() {
            _ if self.is_closed() => None,
            Stage::Open => Some(after.open),
            Stage::Ended(_) => Some(after.ended),
            Stage::Running(_) => None,
        }
    }

    /// Whether the table can have closed here.
    pub(super) fn misfit_closed(&self) -> Result<(), Misfit> {
        self.decide_close().map(drop).map_err(|_| Misfit::Closed)
    }
}
