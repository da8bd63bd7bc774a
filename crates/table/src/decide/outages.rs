//! Decisions about times in which no server ran the match, or the server could do nothing. The
//! players are not charged for such a time.

use quadrex_protocol::Event;
use quadrex_rules::Timestamp;

use crate::outage::Outage;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};
use crate::time::millis;

impl TableState {
    /// Returns the event that records an outage. Returns `None` if the outage cost nobody any time,
    /// because no clock, move limit or reconnect bank ran. `last` is the time of the match's last
    /// event.
    #[must_use]
    pub fn interruption(&self, outage: Outage, last: Timestamp) -> Option<Event> {
        let turn = self.turn().filter(|_| !self.is_suspended())?;
        let alive = outage.last_alive(last);
        let away_ms = millis(self.attendance.unlogged_time(turn, alive));
        let clock_runs = self.running_game().is_ok_and(|game| game.clock().running().is_some());
        let any_time_ran =
            clock_runs || self.move_limit().is_some() || self.attendance.running().is_some() || away_ms > 0;
        let (until_ms, resumes_ms) = (alive.as_millis(), outage.resumes.max(alive).as_millis());
        any_time_ran.then_some(Event::Interrupted { until_ms, resumes_ms, away_ms })
    }

    /// Decides the compensation for a stall of the running server. The compensation is refused if
    /// the stall cost nobody any time.
    pub(crate) fn decide_compensation(&self, outage: Outage) -> Result<Vec<Event>, Rejection> {
        let interruption = self.interruption(outage, outage.last_alive.unwrap_or(outage.back));
        interruption.map(|event| vec![event]).ok_or(Rejection::NotDue)
    }

    /// Checks that an interruption can occur at this point of the log.
    pub(crate) fn check_interrupted(&self, until_ms: u64, resumes_ms: u64) -> Result<(), ReplayError> {
        match self.stage() {
            Stage::Running(_) if until_ms <= resumes_ms && !self.is_suspended() => Ok(()),
            Stage::Running(_) => Err(ReplayError::Suspension),
            Stage::Open | Stage::Ended(_) => Err(ReplayError::NotRunning),
        }
    }
}
