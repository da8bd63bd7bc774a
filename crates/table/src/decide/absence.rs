//! Absent players, and players who exceed the move limit.

use quadrex_protocol::Event;
use quadrex_protocol::settings::Absence;
use quadrex_rules::{AbortCause, Color, GameCommand, Timestamp};

use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Decides an empty reconnect bank of the player to move.
    pub(crate) fn decide_bank(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let empty = self.bank().and_then(|bank| self.attendance.deadline(bank));
        match (self.attendance.running(), empty) {
            (Some(color), Some(empty)) if empty <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }

    /// Decides an exceeded move limit of the player to move.
    pub(crate) fn decide_move_limit(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match (self.turn(), self.move_limit_ends()) {
            (Some(color), Some(end)) if end <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }

    /// Decides the absence policy for a player who was away, or did not move, for too long. If that
    /// player has never moved, the match is aborted.
    pub(crate) fn decide_absence(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let has_moved = self.game().is_some_and(|game| game.clock().has_moved(color));
        match self.terms().settings.absence {
            Absence::Wait => Ok(vec![Event::Waiting { color }]),
            Absence::Eliminate | Absence::Bot if !has_moved => {
                self.ask_rules(&GameCommand::Abort { cause: AbortCause::FirstMove }, now)
            }
            Absence::Bot if !self.is_played_by_bot(color) => Ok(vec![self.stood_in(color)]),
            Absence::Eliminate | Absence::Bot => self.ask_rules(&GameCommand::Remove { color }, now),
        }
    }
}
