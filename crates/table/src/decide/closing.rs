//! The decisions to close a table: nobody attends it, or an operator closes it.

use quadrex_protocol::Event;
use quadrex_rules::{AbortCause, GameCommand, Timestamp};

use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};

impl TableState {
    /// Decides whether the table closes. The caller has found that nobody was present for the
    /// allowed time.
    pub(crate) fn decide_close(&self) -> Result<Vec<Event>, Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(vec![Event::Closed { reason: None }]),
            Stage::Running(_) if self.sleeps_unwatched() => {
                Ok(vec![Event::Aborted { cause: AbortCause::Absence }, Event::Closed { reason: None }])
            }
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
        }
    }

    /// Decides that the table closes for the reason of an operator. A running match is aborted
    /// first.
    pub(crate) fn decide_close_by_operator(
        &self,
        reason: &str,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let mut events = match self.stage() {
            Stage::Open | Stage::Ended(_) => Vec::new(),
            Stage::Running(_) => {
                self.decide_by_rules(&GameCommand::Abort { cause: AbortCause::Operator }, now)?
            }
        };
        events.push(Event::Closed { reason: Some(reason.to_owned()) });
        Ok(events)
    }

    /// Checks that the table can close at this point of the log.
    pub(crate) fn check_closed(&self) -> Result<(), ReplayError> {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => Ok(()),
            Stage::Running(_) => Err(ReplayError::Closed),
        }
    }
}
