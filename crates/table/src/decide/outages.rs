//! Time in which the server was away, or could do nothing: it is charged to nobody.

use quadrex_protocol::Event;
use quadrex_rules::Timestamp;

use crate::outage::Outage;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};
use crate::time::millis;

impl TableState {
    /// Returns the event that records an outage, if any time ran in this match: a clock, the move
    /// limit, or a reconnect bank. `last` is the time of the last event.
    #[must_use]
    pub fn interruption(&self, outage: Outage, last: Timestamp) -> Option<Event> {
        let turn = self.turn().filter(|_| !self.is_suspended())?;
        let alive = outage.alive(last);
        let away_ms = millis(self.attendance.unlogged(turn, alive));
        let is_clocked = self.running().is_ok_and(|game| game.clock().running().is_some());
        let is_counted =
            is_clocked || self.move_limit().is_some() || self.attendance.running().is_some() || away_ms > 0;
        let (until_ms, resumes_ms) = (alive.as_millis(), outage.resumes.max(alive).as_millis());
        is_counted.then_some(Event::Interrupted { until_ms, resumes_ms, away_ms })
    }

    /// Decides compensation for a stall of a server that kept running. Where no time runs, there is
    /// nothing to record.
    pub(crate) fn decide_compensation(&self, outage: Outage) -> Result<Vec<Event>, Rejection> {
        let interruption = self.interruption(outage, outage.alive.unwrap_or(outage.back));
        interruption.map(|event| vec![event]).ok_or(Rejection::NotDue)
    }

    /// Checks that an interruption can occur here.
    pub(crate) fn check_interrupted(&self, until_ms: u64, resumes_ms: u64) -> Result<(), ReplayError> {
        match self.stage() {
            Stage::Running(_) if until_ms <= resumes_ms && !self.is_suspended() => Ok(()),
            Stage::Running(_) => Err(ReplayError::Suspension),
            Stage::Open | Stage::Ended(_) => Err(ReplayError::NotRunning),
        }
    }
}
