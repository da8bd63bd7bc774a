//! Expired deadlines.

use quadrex_protocol::Event;
use quadrex_rules::{GameCommand, Timestamp};

use crate::deadline::Timer;
use crate::rejection::Rejection;
use crate::state::TableState;
use crate::time::before;

impl TableState {
    /// Decides an expired deadline.
    pub(crate) fn decide_timer(&self, timer: Timer, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match timer {
            Timer::Flag => self.ask_rules(&GameCommand::Flag, before(now, self.flag_delay())),
            Timer::BankEmpty => self.decide_bank(now),
            Timer::MoveLimit => self.decide_move_limit(now),
            Timer::PauseEnds | Timer::CountdownEnds | Timer::WaitEnds | Timer::Returned => {
                self.decide_suspension_timer(timer, now)
            }
        }
    }
}
