//! Taking in what happened.

use super::line::Line;
use super::{Elimination, Game, GameEvent, OpenOffer, Outcome};
use crate::color::Color;
use crate::mv::Move;
use crate::timestamp::Timestamp;

impl Game {
    /// Takes in what happened at `at`: a decided event, or one from the record.
    ///
    /// # Panics
    /// When the event cannot have happened in this game: a move that is not legal here. Events that
    /// [`decide`](Self::decide) gave, or that a record of this game holds in order, never do.
    pub fn apply(&mut self, event: &GameEvent, at: Timestamp) {
        match event {
            GameEvent::Moved { mv, left_ms, .. } => self.apply_move(*mv, *left_ms, at),
            GameEvent::Eliminated { color, cause, by } => {
                self.eliminated.push(Elimination { color: *color, cause: *cause, by: by.clone() });
                self.apply_going_out(*color, at);
            }
            GameEvent::DrawOffered { color } => self.draw_offers.make(*color),
            GameEvent::DrawAccepted { color } => accept(&mut self.draw_offers.open, *color),
            GameEvent::DrawDeclined { .. } => self.draw_offers.lapse(),
            GameEvent::TakebackRequested { color } => self.takeback = Some(OpenOffer::new(*color)),
            GameEvent::TakebackAccepted { color } => accept(&mut self.takeback, *color),
            GameEvent::TakebackDeclined { .. } => self.takeback = None,
            GameEvent::TakenBack { plies, left_ms } => self.apply_takeback(*plies, *left_ms, at),
            GameEvent::Ended { reason, places } => {
                self.clocks.stop(at);
                self.draw_offers.lapse();
                self.takeback = None;
                self.outcome = Some(Outcome { reason: *reason, places: places.clone() });
            }
        }
    }

    fn apply_move(&mut self, mv: Move, left_ms: Option<u64>, at: Timestamp) {
        let mover = self.position.turn();
        let made = self.position.make(mv);
        assert!(made, "{mv} is in the record but not legal here");
        self.line.push(mv, &self.position);
        self.clocks.settle(left_ms);
        if self.takeback.as_ref().is_some_and(|request| request.by == mover) {
            self.takeback = None;
        }
        self.turn_comes(at);
    }

    /// D11, G9: offers lapse, the repetition history starts anew, and the turn passes on if it was the player's.
    fn apply_going_out(&mut self, color: Color, at: Timestamp) {
        let turn = self.position.turn();
        self.position.put_out(color);
        self.line = Line::starting_at(self.position.clone());
        self.draw_offers.lapse();
        self.takeback = None;
        if turn == color {
            self.turn_comes(at);
        }
    }

    /// S4: everything is as it was before, but spent time stays spent. The draw offer, made in a position that is
    /// gone, lapses.
    fn apply_takeback(&mut self, plies: u32, left_ms: Option<u64>, at: Timestamp) {
        self.position = self.line.take_back(plies);
        self.clocks.settle(left_ms);
        self.takeback = None;
        self.draw_offers.lapse();
        self.turn_comes(at);
    }

    fn turn_comes(&mut self, at: Timestamp) {
        let turn = self.position.turn();
        self.clocks.run(turn, at);
        self.draw_offers.turn_comes(turn);
    }
}

fn accept(offer: &mut Option<OpenOffer>, color: Color) {
    if let Some(offer) = offer {
        offer.accepted.push(color);
    }
}
