//! The decision about a command: the events that it causes, or the reason for which it is refused.

use quadrex_protocol::Event;
use quadrex_protocol::user::UserView;
use quadrex_rules::{Color, Game, GameCommand, GameEvent, Timestamp};

use crate::command::{Action, PlayerCommand, TableCommand};
use crate::illegal_move::IllegalReason;
use crate::rejection::Rejection;
use crate::state::{Stage, TableState};
use crate::time::millis;

impl TableState {
    /// Returns the events that a command causes at `now`. There is at least one, except for
    /// conditional moves and vacations, which are stored beside the log.
    ///
    /// # Errors
    /// Returns the reason for which the command is refused.
    pub fn decide(&self, command: &TableCommand, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match command {
            TableCommand::Player(command) => return self.decide_player_command(command, now),
            _ if self.is_closed() => Err(Rejection::Closed),
            _ if self.next_match_id().is_some() => Err(Rejection::Rematched),
            TableCommand::Close => self.decide_close(),
            TableCommand::Compensate(outage) => self.decide_compensation(*outage),
            TableCommand::UpdateVacations(vacations) => self.decide_vacations(vacations, now),
            TableCommand::Timer(timer) => self.decide_timer(*timer, now),
        }
        .map(|events| self.with_resumption(events))
    }

    /// Returns the events that a user's command causes at `now`. There is at least one, except for
    /// conditional moves and vacations, which are stored beside the log.
    ///
    /// # Errors
    /// Returns the reason for which the command is refused.
    pub fn decide_player_command(
        &self,
        command: &PlayerCommand,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        if self.is_closed() {
            return Err(Rejection::Closed);
        }
        if self.next_match_id().is_some() {
            return Err(Rejection::Rematched);
        }
        let PlayerCommand { by, seat, action } = command;
        let events = self.decide_action(by, *seat, action, now)?;
        Ok(self.with_resumption(events))
    }

    /// Decides the action of a user. `named_seat` is the seat for which the user requests the
    /// action, if the user has named a seat.
    fn decide_action(
        &self,
        by: &UserView,
        named_seat: Option<Color>,
        action: &Action,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        match action {
            Action::Sit { seat, invite, nonce, rating } => {
                self.decide_sit(by, *seat, *invite, nonce, *rating)
            }
            Action::Leave => self.decide_leave(by.id, named_seat),
            Action::Rematch { action, nonce, next } => {
                self.decide_rematch(by.id, named_seat, *action, nonce, *next)
            }
            Action::Kick { color } => self.decide_kick(by.id, *color),
            Action::AddBot { seat, bot, nonce } => self.decide_add_bot(by.id, *seat, bot, nonce),
            Action::Move { after, mv, claim_draw } => {
                self.decide_move(self.named_or_first_seat(by.id, named_seat)?, *after, *mv, *claim_draw, now)
            }
            Action::Resign => {
                self.decide_by_rules(&GameCommand::Resign { color: self.exact_seat(by.id, named_seat)? }, now)
            }
            Action::Resume => self.decide_resume(self.named_or_first_seat(by.id, named_seat)?, now),
            Action::Request { request, action } => {
                self.decide_request(by, named_seat, *request, *action, now)
            }
            Action::SetConditionalMoves { after, lines } => {
                self.decide_conditional_moves(by.id, named_seat, *after, lines).map(|_| Vec::new())
            }
            Action::UpdateVacation => Ok(Vec::new()),
            Action::Close { reason } => self.decide_close_by_operator(reason, now),
            Action::Chat { room, message } => self.decide_chat(by, named_seat, *room, message, now),
            Action::ClaimDraw => self.decide_by_rules(
                &GameCommand::ClaimDraw { color: self.named_or_first_seat(by.id, named_seat)? },
                now,
            ),
        }
    }

    /// Returns the running game, or a refusal if no match is running.
    pub(crate) fn running_game(&self) -> Result<&Game, Rejection> {
        match &self.stage {
            Stage::Open => Err(Rejection::NotStarted),
            Stage::Running(game) => Ok(game),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    /// Decides a command that the rules of the game alone decide.
    pub(crate) fn decide_by_rules(
        &self,
        command: &GameCommand,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let game = self.running_game()?;
        match game.decide(command, now) {
            Ok(events) => Ok(self.events_of(events, now)),
            Err(quadrex_rules::Rejection::IllegalMove { mv }) => {
                Err(Rejection::IllegalMove { mv, reason: IllegalReason::of(game.position(), mv) })
            }
            Err(rejection) => Err(Rejection::Rules(rejection)),
        }
    }

    /// Returns events of the game as events of the table. A turn that a takeback ends has no move that
    /// could record for how long the player to move was away.
    pub(crate) fn events_of(&self, decided: Vec<GameEvent>, now: Timestamp) -> Vec<Event> {
        let mut events: Vec<Event> = decided.into_iter().map(Event::from_rules).collect();
        for event in &mut events {
            if let (Event::TakenBack { away_ms, .. }, Some(turn)) = (event, self.turn()) {
                *away_ms = millis(self.attendance.unlogged_time(turn, now));
            }
        }
        events
    }
}
