//! The deadlines of a table, and the limits behind them.

use std::time::Duration;

use quadrex_protocol::TurnAbsence;
use quadrex_protocol::settings::Absence;
use quadrex_rules::Timestamp;

use super::suspension::Suspension;
use super::table_state::{Stage, TableState};
use crate::deadline::{Deadline, OpenTurn, Timer};
use crate::time::millis;

impl TableState {
    /// Returns the next deadline. Of two at the same moment the flag is first.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Deadline> {
        let Stage::Running(game) = self.stage() else { return None };
        let flag = game.clock().deadline().map(|at| at + self.flag_delay());
        let flag = flag.map(|at| Deadline { at, timer: Timer::Flag });
        let bank = self.bank().and_then(|bank| self.attendance.deadline(bank));
        let bank = bank.map(|at| Deadline { at, timer: Timer::BankEmpty });
        let limit = self.move_limit_ends().map(|at| Deadline { at, timer: Timer::MoveLimit });
        [flag, bank, limit, self.suspension_deadline()].into_iter().flatten().min_by_key(|due| due.at)
    }

    /// Returns the turn of the player who may move now, if anybody may.
    #[must_use]
    pub fn open_turn(&self) -> Option<OpenTurn> {
        let color = self.turn()?;
        let is_suspended = match self.suspensions.current() {
            None => false,
            Some(Suspension::Waiting { color: awaited, .. }) => awaited != color,
            Some(Suspension::Paused { .. } | Suspension::Resuming { .. }) => true,
        };
        let player = self.player(color).filter(|_| !is_suspended)?.id;
        Some(OpenTurn { player, deadline: self.next_deadline().map(|due| due.at) })
    }

    /// Returns the size of a full reconnect bank; correspondence has none.
    pub(crate) fn bank(&self) -> Option<Duration> {
        self.game()?.config().time.reconnect_bank()
    }

    /// Returns the time of the player to move that the log does not have.
    #[must_use]
    pub fn turn_absence(&self) -> Option<TurnAbsence> {
        let turn = self.turn().filter(|_| self.bank().is_some())?;
        Some(self.attendance.turn_absence(turn))
    }

    /// Returns the lag credit of a move by the player to move at `now`: no more than the turn has
    /// cost.
    pub(crate) fn lag_credit(&self, now: Timestamp) -> Duration {
        match self.stage() {
            Stage::Running(game) => self.flag_delay().min(game.clock().paid(now)),
            Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }

    /// Returns the time for which the flag of the player to move waits for a move that may be on its
    /// way. Correspondence has no such delay, and a first move costs nothing.
    pub(crate) fn flag_delay(&self) -> Duration {
        match self.stage() {
            Stage::Running(game) if game.clock().keeps_time() && !game.clock().turn_is_first() => {
                self.lag.credit_limit(game.position().turn())
            }
            Stage::Running(_) | Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }

    /// Returns the move limit. A match that waits for absent players has none, nor does one that
    /// sleeps while nobody watches.
    pub(crate) fn move_limit(&self) -> Option<Duration> {
        let settings = &self.terms().settings;
        let has_limit = settings.absence != Absence::Wait && !self.pauses_unwatched();
        settings.move_limit_ms.filter(|_| has_limit).map(Duration::from_millis)
    }

    /// Returns the moment at which the player to move exceeds the move limit.
    pub(crate) fn move_limit_ends(&self) -> Option<Timestamp> {
        let Stage::Running(_) = self.stage() else { return None };
        self.move_timer.deadline(self.move_limit()?)
    }

    /// Returns the rest of the move limit at `now`, in milliseconds.
    pub(crate) fn move_limit_left_ms(&self, now: Timestamp) -> Option<u64> {
        self.turn()?;
        let left = self.move_limit()?.saturating_sub(self.move_timer.spent(now));
        Some(millis(left))
    }

    /// Returns whether the match is suspended: nothing runs, and nobody may move.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.suspensions.current().is_some()
    }

    /// Returns the deadline of the present suspension. Waiting ends when the player has returned.
    pub(crate) fn suspension_deadline(&self) -> Option<Deadline> {
        match self.suspensions.current()? {
            Suspension::Waiting { color, since } if self.is_attended(color) => {
                Some(Deadline { at: since, timer: Timer::Returned })
            }
            Suspension::Paused { .. } | Suspension::Waiting { .. } | Suspension::Resuming { .. } => {
                self.suspensions.deadline()
            }
        }
    }
}
