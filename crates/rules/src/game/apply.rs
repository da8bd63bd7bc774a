//! Application of events to a game.

use super::move_history::MoveHistory;
use super::{Game, GameEvent, Outcome, Request};
use crate::color::Color;
use crate::elimination::Elimination;
use crate::mv::Move;
use crate::timestamp::Timestamp;

impl Game {
    /// Applies an event that happened at `at`: a decided event, or an event of the record.
    ///
    /// # Panics
    /// Panics if the event cannot have happened in this game, for example a move that is not legal.
    /// An event that [`decide`](Self::decide) has just returned never panics. The events of this
    /// game's record, applied in order, never panic either.
    pub fn apply(&mut self, event: &GameEvent, at: Timestamp) {
        match event {
            GameEvent::Moved { mv, left_ms, .. } => self.apply_move(*mv, *left_ms, at),
            GameEvent::Eliminated { color, cause, by } => {
                self.eliminated.push(Elimination { color: *color, cause: *cause, by: by.clone() });
                self.apply_elimination(*color, at);
            }
            GameEvent::Requested { request, color } => self.requests.ask(*request, *color),
            GameEvent::Agreed { request, color } => self.apply_agreement(*request, *color),
            GameEvent::Declined { request, .. } => self.requests.close(*request),
            GameEvent::TakenBack { plies, left_ms } => self.apply_takeback(*plies, *left_ms, at),
            GameEvent::Aborted { cause } => {
                self.stop_play(at);
                self.aborted = Some(*cause);
            }
            GameEvent::Ended { reason, places } => {
                self.stop_play(at);
                self.outcome = Some(Outcome { reason: *reason, places: places.clone() });
            }
        }
    }

    /// Applies a player's agreement to a request. Once all players have agreed to a pause, the
    /// request is closed, because the table, not the game, starts the pause.
    fn apply_agreement(&mut self, request: Request, color: Color) {
        let is_complete =
            self.request(request).is_some_and(|open| open.is_completed_by(color, &self.position));
        self.requests.agree(request, color);
        if is_complete && request == Request::Pause {
            self.requests.close(request);
        }
    }

    /// Stops the clocks and closes all requests, at the end of the game.
    fn stop_play(&mut self, at: Timestamp) {
        self.clocks.stop(at);
        self.requests.close_all();
    }

    fn apply_move(&mut self, mv: Move, left_ms: Option<u64>, at: Timestamp) {
        let mover = self.position.turn();
        let is_legal = self.position.make(mv);
        assert!(is_legal, "{mv} is in the record but not legal here");
        self.history.push(mv, &self.position);
        self.clocks.finish_move(left_ms);
        self.requests.moved(mover);
        self.start_turn(at);
    }

    /// Applies an elimination: all requests are closed and the history of positions restarts. If
    /// the eliminated player was to move, the turn passes (rules D11, G9).
    fn apply_elimination(&mut self, color: Color, at: Timestamp) {
        let turn = self.position.turn();
        self.position.eliminate(color);
        self.history = MoveHistory::starting_at(self.position.clone());
        self.requests.close_all();
        if turn == color {
            self.start_turn(at);
        }
    }

    /// Applies a takeback. Used time is not returned (rule S4). A draw offer is closed, because the
    /// position in which it was made no longer exists.
    fn apply_takeback(&mut self, plies: u32, left_ms: Option<u64>, at: Timestamp) {
        self.position = self.history.take_back(plies);
        self.clocks.record_left(left_ms);
        self.requests.close(Request::Takeback);
        self.requests.close(Request::Draw);
        self.start_turn(at);
    }

    fn start_turn(&mut self, at: Timestamp) {
        let turn = self.position.turn();
        self.clocks.run(turn, at);
        self.requests.start_turn(turn);
    }
}
