//! Decisions about moves.

use quadrex_protocol::Event;
use quadrex_rules::{Color, GameCommand, Move, Timestamp};

use crate::rejection::Rejection;
use crate::state::TableState;
use crate::time::millis;

impl TableState {
    /// Decides a move. When the client made the move, the last event that it knew had the number
    /// `after`. The player's clock is charged for the time of the turn less the lag credit.
    pub(crate) fn decide_move(
        &self,
        color: Color,
        after: u64,
        mv: Move,
        claim_draw: bool,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let game = self.running_game()?;
        if game.eliminated().iter().any(|elimination| elimination.color == color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        self.check_board_known(after)?;
        self.check_not_suspended()?;
        let lag = self.lag_credit(now);
        let command = GameCommand::Move { color, mv, claim_draw };
        let mut events = self.decide_by_rules(&command, now - lag)?;
        if let Some(Event::Moved { away_ms, lag_ms, .. }) = events.first_mut() {
            *away_ms = millis(self.attendance.unlogged_time(color, now));
            *lag_ms = millis(lag);
        }
        Ok(events)
    }

    /// Checks that a client that has received the events up to `after` knows the board.
    ///
    /// # Errors
    /// Returns an error if the board or the turn has changed since, or if there is no such event.
    pub(crate) fn check_board_known(&self, after: u64) -> Result<(), Rejection> {
        if after > self.head() {
            return Err(Rejection::Ahead { after, head: self.head() });
        }
        if after < self.board_seq() {
            return Err(Rejection::Stale { changed: self.board_seq(), after });
        }
        Ok(())
    }
}
