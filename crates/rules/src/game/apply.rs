//! Application of events to a game.

use super::move_history::MoveHistory;
use super::{Game, GameEvent, Outcome, Request};
use crate::color::Color;
use crate::elimination::Elimination;
use crate::mv::Move;
use crate::timestamp::Timestamp;

impl Game {
    /// Applies an event that happened at `at`: a decided event, or one from the record.
    ///
    /// # Panics
    /// If the event cannot have happened in this game: a move that is not legal here. Events
    /// returned by [`decide`](Self::decide), and the events of a record of this game in order,
    /// never panic.
    pub fn apply(&mut self, event: &GameEvent, at: Timestamp) {
        match event {
            GameEvent::Moved { mv, left_ms, .. } => self.apply_move(*mv, *left_ms, at),
            GameEvent::Eliminated { color, cause, by } => {
                self.eliminated.push(Elimination { color: *color, cause: *cause, by: by.clone() });
                self.apply_elimination(*color, at);
            }
            GameEvent::Requested { request, color } => self.requests.ask(*request, *color),
            GameEvent::Agreed { request, color } => self.apply_agreement(*request, *color),
            GameEvent::Declined { request, .. } => self.requests.lapse(*request),
            GameEvent::TakenBack { plies, left_ms } => self.apply_takeback(*plies, *left_ms, at),
            GameEvent::Aborted { cause } => {
                self.close(at);
                self.aborted = Some(*cause);
            }
            GameEvent::Ended { reason, places } => {
                self.close(at);
                self.outcome = Some(Outcome { reason: *reason, places: places.clone() });
            }
        }
    }

    /// Applies consent. A pause that all have agreed to is granted by the table, so its request
    /// closes.
    fn apply_agreement(&mut self, request: Request, color: Color) {
        let is_complete =
            self.request(request).is_some_and(|open| open.is_completed_by(color, &self.position));
        self.requests.agree(request, color);
        if is_complete && request == Request::Pause {
            self.requests.lapse(request);
        }
    }

    /// Stops the clocks and closes all requests.
    fn close(&mut self, at: Timestamp) {
        self.clocks.stop(at);
        self.requests.lapse_all();
    }

    fn apply_move(&mut self, mv: Move, left_ms: Option<u64>, at: Timestamp) {
        let mover = self.position.turn();
        let made = self.position.make(mv);
        assert!(made, "{mv} is in the record but not legal here");
        self.history.push(mv, &self.position);
        self.clocks.finish_move(left_ms);
        self.requests.moved(mover);
        self.turn_comes(at);
    }

    /// Applies an elimination: requests lapse, the repetition history restarts, and the turn passes
    /// on if it was the player's (D11, G9).
    fn apply_elimination(&mut self, color: Color, at: Timestamp) {
        let turn = self.position.turn();
        self.position.eliminate(color);
        self.history = MoveHistory::starting_at(self.position.clone());
        self.requests.lapse_all();
        if turn == color {
            self.turn_comes(at);
        }
    }

    /// Applies a takeback: everything is as it was before, but spent time stays spent (S4). An
    /// offered draw, made in a position that no longer exists, lapses.
    fn apply_takeback(&mut self, plies: u32, left_ms: Option<u64>, at: Timestamp) {
        self.position = self.history.take_back(plies);
        self.clocks.settle(left_ms);
        self.requests.lapse(Request::Takeback);
        self.requests.lapse(Request::Draw);
        self.turn_comes(at);
    }

    fn turn_comes(&mut self, at: Timestamp) {
        let turn = self.position.turn();
        self.clocks.run(turn, at);
        self.requests.turn_comes(turn);
    }
}
