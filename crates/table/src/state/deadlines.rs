//! The deadlines of a table, and the time limits from which they follow.

use std::time::Duration;

use quadrex_protocol::TurnAbsence;
use quadrex_protocol::settings::Absence;
use quadrex_rules::Timestamp;

use super::suspension::Suspension;
use super::table_state::{Stage, TableState};
use crate::deadline::{Deadline, OpenTurn, Timer};
use crate::time::millis;

impl TableState {
    /// Returns the next deadline. If a clock runs out at the same moment as another deadline, the
    /// clock comes first.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Deadline> {
        let Stage::Running(game) = self.stage() else { return None };
        let ends = game.position().active_players().filter_map(|color| self.vacations.end(color)).min();
        let vacation = ends.map(|at| Deadline { at, timer: Timer::VacationEnds });
        [self.turn_deadline(), vacation].into_iter().flatten().min_by_key(|due| due.at)
    }

    /// Returns the next deadline of the current turn.
    fn turn_deadline(&self) -> Option<Deadline> {
        let Stage::Running(game) = self.stage() else { return None };
        let flag = game.clock().deadline().map(|at| at + self.flag_delay());
        let flag = flag.map(|at| Deadline { at, timer: Timer::Flag });
        let bank = self.full_bank().and_then(|bank| self.attendance.deadline(bank));
        let bank = bank.map(|at| Deadline { at, timer: Timer::BankEmpty });
        let limit = self.move_limit_ends().map(|at| Deadline { at, timer: Timer::MoveLimit });
        [flag, bank, limit, self.suspension_deadline()].into_iter().flatten().min_by_key(|due| due.at)
    }

    /// Returns the turn of the player who may move now, if a player may move.
    #[must_use]
    pub fn open_turn(&self) -> Option<OpenTurn> {
        let color = self.turn()?;
        let is_suspended = match self.suspensions.current() {
            None => false,
            Some(Suspension::Waiting { color: awaited, .. }) => awaited != color,
            Some(Suspension::Paused { .. } | Suspension::Resuming { .. }) => true,
        };
        let player = self.player(color).filter(|_| !is_suspended)?.id;
        let game = self.game().filter(|_| self.suspensions.current().is_none());
        // The player's time begins to run again when the vacation is over.
        let after_vacation = self
            .vacations
            .end(color)
            .zip(game)
            .and_then(|(end, game)| Some(end + game.clock().remaining(color, end)?));
        let deadline = after_vacation.or_else(|| self.turn_deadline().map(|due| due.at));
        Some(OpenTurn { player, deadline })
    }

    /// Returns the time of a full reconnect bank. A correspondence match has no banks.
    pub(crate) fn full_bank(&self) -> Option<Duration> {
        self.game()?.config().time.reconnect_bank()
    }

    /// Returns the part of the bank time spent by the player to move that the log does not have
    /// yet.
    #[must_use]
    pub fn turn_absence(&self) -> Option<TurnAbsence> {
        let turn = self.turn().filter(|_| self.full_bank().is_some())?;
        Some(self.attendance.turn_absence(turn))
    }

    /// Returns the lag credit of a move that the player to move makes at `now`. The credit is at
    /// most the time that this turn has taken from the clock.
    pub(crate) fn lag_credit(&self, now: Timestamp) -> Duration {
        match self.stage() {
            Stage::Running(game) => self.flag_delay().min(game.clock().paid(now)),
            Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }

    /// Returns the time for which the server waits after a clock has run out, because a move may be
    /// on its way from the client. There is no such delay in a correspondence match. Nor is there
    /// one before a player's first move, because it takes no time from the clock.
    pub(crate) fn flag_delay(&self) -> Duration {
        match self.stage() {
            Stage::Running(game) if game.clock().keeps_time() && !game.clock().turn_is_first() => {
                self.lag.credit_limit(game.position().turn())
            }
            Stage::Running(_) | Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }

    /// Returns the move limit. There is no move limit at a table that waits for absent players, nor
    /// in a match that goes on only while somebody watches.
    pub(crate) fn move_limit(&self) -> Option<Duration> {
        let settings = &self.terms().settings;
        let has_limit = settings.absence != Absence::Wait && !self.sleeps_unwatched();
        settings.move_limit_ms.filter(|_| has_limit).map(Duration::from_millis)
    }

    /// Returns the moment at which the player to move exceeds the move limit.
    pub(crate) fn move_limit_ends(&self) -> Option<Timestamp> {
        let Stage::Running(_) = self.stage() else { return None };
        self.move_timer.deadline(self.move_limit()?)
    }

    /// Returns the time that is left of the move limit at `now`, in milliseconds.
    pub(crate) fn move_limit_left_ms(&self, now: Timestamp) -> Option<u64> {
        self.turn()?;
        let left = self.move_limit()?.saturating_sub(self.move_timer.spent(now));
        Some(millis(left))
    }

    /// Returns whether the match is suspended. During a suspension no time runs, and nobody may
    /// move.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.suspensions.current().is_some()
    }

    /// Returns the deadline of the current suspension. If the match waits for a player who is
    /// present again, the deadline is due at once.
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
