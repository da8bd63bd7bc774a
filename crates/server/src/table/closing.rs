//! When a table that nobody is at closes.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::AbortCause;

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
    /// One whose match sleeps: only bots hold seats, and there are no clocks.
    pub asleep: Duration,
}

impl TableState {
    /// That the table closes, because nobody was there for so long: the timer's word.
    pub(super) fn decide_close(&self) -> Result<Vec<Event>, Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(vec![Event::Closed {}]),
            Stage::Running(_) if self.sleeps_unwatched() => {
                Ok(vec![Event::Aborted { cause: AbortCause::Absence }, Event::Closed {}])
            }
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
        }
    }

    /// How long it stays when nobody is there; `None` while a match runs that goes on without spectators, or if it has closed.
    #[must_use]
    pub(super) fn closes_after(&self, after: CloseAfter) -> Option<Duration> {
        match self.stage() {
            _ if self.is_closed() => None,
            Stage::Open => Some(after.open),
            Stage::Ended(_) => Some(after.ended),
            Stage::Running(_) => self.sleeps_unwatched().then_some(after.asleep),
        }
    }

    /// Whether the table can have closed here.
    pub(super) fn misfit_closed(&self) -> Result<(), Misfit> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(()),
            Stage::Running(_) => Err(Misfit::Closed),
        }
    }
}
