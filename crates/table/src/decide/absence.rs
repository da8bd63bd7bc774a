//! Decisions about absent players, and about players who exceed the move limit.

use quadrex_protocol::Event;
use quadrex_protocol::settings::Absence;
use quadrex_rules::{AbortCause, Color, GameCommand, Timestamp};

use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Decides what happens when the reconnect bank of the player to move is empty.
    pub(crate) fn decide_empty_bank(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let empty_at = self.full_bank().and_then(|bank| self.attendance.deadline(bank));
        match (self.attendance.running(), empty_at) {
            (Some(color), Some(empty_at)) if empty_at <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }

    /// Decides what happens when the player to move has exceeded the move limit.
    pub(crate) fn decide_move_limit(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match (self.turn(), self.move_limit_ends()) {
            (Some(color), Some(end)) if end <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }

    /// Decides the consequence for a player who was absent for too long, or did not move for too
    /// long. The consequence follows from the table's absence policy. If the policy is not to wait
    /// and this player has never moved, the match is aborted.
    pub(crate) fn decide_absence(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let has_moved = self.game().is_some_and(|game| game.clock().has_moved(color));
        match self.terms().settings.absence {
            Absence::Wait => Ok(vec![Event::Waiting { color }]),
            Absence::Eliminate | Absence::Bot if !has_moved => {
                self.decide_by_rules(&GameCommand::Abort { cause: AbortCause::FirstMove }, now)
            }
            Absence::Bot if !self.is_played_by_bot(color) => Ok(vec![self.substituted_event(color)]),
            Absence::Eliminate | Absence::Bot => self.decide_by_rules(&GameCommand::Remove { color }, now),
        }
    }
}
