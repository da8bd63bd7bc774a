//! What the table's own timer must do next: the one place where moments are waited for.

use quadrex_protocol::Event;
use quadrex_rules::{GameCommand, Timestamp};

use super::command::Rejection;
use super::lag;
use super::state::{Stage, TableState};

/// What the table's timer asks for. Each looks again whether its time has come, so that one too many does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The time of the player to move is up (RULES G12), or its time for a first own move.
    Flag,
    /// The reconnect bank of the player to move is empty.
    BankEmpty,
    /// The player to move has thought for too long where there are no clocks.
    MoveLimit,
    /// The match may not be paused any longer.
    PauseEnds,
    /// The countdown to the end of a pause is over.
    CountdownEnds,
    /// Who is waited for has not come back for a day.
    WaitEnds,
    /// Who is waited for is there again.
    Returned,
}

/// The next thing to be done by the timer, if nothing happens before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// When.
    pub at: Timestamp,
    /// What.
    pub timer: Timer,
}

impl TableState {
    /// What the timer must do next, and when. Of two at the same moment the flag is first.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Deadline> {
        let Stage::Running(game) = self.stage() else { return None };
        let flag = game.clock().deadline().map(|at| at + self.flag_waits());
        let flag = flag.map(|at| Deadline { at, timer: Timer::Flag });
        let bank = self.bank().and_then(|bank| self.attendance.deadline(bank));
        let bank = bank.map(|at| Deadline { at, timer: Timer::BankEmpty });
        let limit = self.move_limit_ends().map(|at| Deadline { at, timer: Timer::MoveLimit });
        [flag, bank, limit, self.freeze_deadline()].into_iter().flatten().min_by_key(|due| due.at)
    }

    /// What the timer brings about at `now`.
    pub(super) fn decide_timer(&self, timer: Timer, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match timer {
            Timer::Flag => self.ask_rules(&GameCommand::Flag, lag::before(now, self.flag_waits())),
            Timer::BankEmpty => self.decide_bank(now),
            Timer::MoveLimit => self.decide_move_limit(now),
            Timer::PauseEnds | Timer::CountdownEnds | Timer::WaitEnds | Timer::Returned => {
                self.decide_freeze_timer(timer, now)
            }
        }
    }
}
