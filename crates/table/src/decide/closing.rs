//! The decision to close a table that nobody attends.

use quadrex_protocol::Event;
use quadrex_rules::AbortCause;

use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};

impl TableState {
    /// Decides whether the table closes. The caller has found that nobody was present for the
    /// allowed time.
    pub(crate) fn decide_close(&self) -> Result<Vec<Event>, Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(vec![Event::Closed {}]),
            Stage::Running(_) if self.sleeps_unwatched() => {
                Ok(vec![Event::Aborted { cause: AbortCause::Absence }, Event::Closed {}])
            }
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
        }
    }

    /// Checks that the table can close at this point of the log.
    pub(crate) fn check_closed(&self) -> Result<(), ReplayError> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(()),
            Stage::Running(_) => Err(ReplayError::Closed),
        }
    }
}
