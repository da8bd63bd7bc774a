//! Time in which the server was away, or could do nothing: it is charged to nobody.

use quadrex_protocol::Event;
use quadrex_rules::Timestamp;

use super::command::Rejection;
use super::history::Misfit;
use super::state::{Stage, TableState};

/// The server was away and is back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Downtime {
    /// Until when it is known to have run; if nothing tells, the match's last event does.
    pub alive: Option<Timestamp>,
    /// When it was back.
    pub back: Timestamp,
    /// When clocks run again: a grace for the players to come back too.
    pub resumes: Timestamp,
}

impl TableState {
    /// The fact that the server was away, if a clock ran in this match. `last` is when its last event happened.
    pub(super) fn interrupted(&self, downtime: Downtime, last: Timestamp) -> Option<Event> {
        let Stage::Running(game) = self.stage() else { return None };
        let alive = downtime.alive.unwrap_or(last).min(downtime.back).max(last);
        let (until_ms, resumes_ms) = (alive.as_millis(), downtime.resumes.max(alive).as_millis());
        game.clock().running().map(|_| Event::Interrupted { until_ms, resumes_ms })
    }

    /// The same of a server that is still there, and since `alive` could do nothing. Without a clock that runs nothing
    /// need be kept.
    pub(super) fn decide_make_good(&self, downtime: Downtime) -> Result<Vec<Event>, Rejection> {
        let interrupted = self.interrupted(downtime, downtime.alive.unwrap_or(downtime.back));
        interrupted.map(|event| vec![event]).ok_or(Rejection::NotDue)
    }

    /// What is limited without clocks counts from `at` on: the limit for a move, a reconnect bank.
    pub(super) fn restart_limits(&mut self, at: Timestamp) {
        self.attendance.restart(at);
        self.move_timer.restart(at);
    }

    /// Time runs up to `until` and then again from `resumes` on, which may lie ahead.
    pub(super) fn pass_over(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Stage::Running(game) = &mut self.stage {
            game.charge_clock(until);
            game.restart_clock(resumes);
        }
        self.restart_limits(resumes);
    }

    /// Whether the server can have been away here.
    pub(super) fn interrupted_misfit(&self, until_ms: u64, resumes_ms: u64) -> Result<(), Misfit> {
        match self.stage() {
            Stage::Running(_) if until_ms <= resumes_ms && !self.is_frozen() => Ok(()),
            Stage::Running(_) => Err(Misfit::Standstill),
            Stage::Open | Stage::Ended(_) => Err(Misfit::NotRunning),
        }
    }
}
