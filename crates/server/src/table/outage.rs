//! Time in which the server was away, or could do nothing: it is charged to nobody.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::Timestamp;

use super::command::Rejection;
use super::decide::millis;
use super::history::Misfit;
use super::state::{Stage, TableState};

/// The server was away and is back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Until when it is known to have run; if nothing tells, the match's last event does.
    pub alive: Option<Timestamp>,
    /// When it was back.
    pub back: Timestamp,
    /// When clocks run again: a grace for the players to come back too.
    pub resumes: Timestamp,
}

impl Outage {
    /// Until when the server is known to have run. `last` is when the match's last event happened.
    pub(super) fn alive(&self, last: Timestamp) -> Timestamp {
        self.alive.unwrap_or(last).min(self.back).max(last)
    }
}

impl TableState {
    /// The fact that the server was away, if something was counted in this match: a clock, the limit for a move, or a
    /// reconnect bank. `last` is when its last event happened.
    pub(super) fn interrupted(&self, outage: Outage, last: Timestamp) -> Option<Event> {
        let turn = self.turn().filter(|_| !self.is_frozen())?;
        let alive = outage.alive(last);
        let away_ms = millis(self.attendance.unlogged(turn, alive));
        let is_clocked = self.running().is_ok_and(|game| game.clock().running().is_some());
        let is_counted =
            is_clocked || self.move_limit().is_some() || self.attendance.running().is_some() || away_ms > 0;
        let (until_ms, resumes_ms) = (alive.as_millis(), outage.resumes.max(alive).as_millis());
        is_counted.then_some(Event::Interrupted { until_ms, resumes_ms, away_ms })
    }

    /// The same of a server that is still there, and since `alive` could do nothing. Where nothing is counted nothing need
    /// be kept.
    pub(super) fn decide_make_good(&self, outage: Outage) -> Result<Vec<Event>, Rejection> {
        let interrupted = self.interrupted(outage, outage.alive.unwrap_or(outage.back));
        interrupted.map(|event| vec![event]).ok_or(Rejection::NotDue)
    }

    /// Time runs up to `until` and then again from `resumes` on, which may lie ahead. The player to move was away for so
    /// long on this turn.
    pub(super) fn pass_over(&mut self, until: Timestamp, resumes: Timestamp, away: Duration) {
        if let Stage::Running(game) = &mut self.stage {
            let turn = game.position().turn();
            game.charge_clock(until);
            game.restart_clock(resumes);
            self.attendance.log(turn, away);
        }
        self.attendance.pass_over(until, resumes);
        self.move_timer.pass_over(until, resumes);
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
