//! Decisions about expired deadlines.

use quadrex_protocol::Event;
use quadrex_rules::{GameCommand, Timestamp};

use crate::deadline::Timer;
use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Decides what happens when a deadline has expired.
    pub(crate) fn decide_timer(&self, timer: Timer, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match timer {
            Timer::Flag => self.decide_by_rules(&GameCommand::Flag, now - self.flag_delay()),
            Timer::BankEmpty => self.decide_empty_bank(now),
            Timer::MoveLimit => self.decide_move_limit(now),
            Timer::VacationEnds => self.decide_vacation_end(now),
            Timer::PauseEnds | Timer::CountdownEnds | Timer::WaitEnds | Timer::Returned => {
                self.decide_suspension_timer(timer, now)
            }
        }
    }
}
