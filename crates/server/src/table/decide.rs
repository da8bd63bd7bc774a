//! What a command brings about at a table, or why it is refused. Changes nothing.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::user::UserView;
use quadrex_rules::{Color, Game, GameCommand, Move, Timestamp};

use super::command::{Action, Rejection, TableCommand};
use super::illegal::Why;
use super::lag;
use super::state::{Stage, TableState};

impl TableState {
    /// The events a command brings about at `now`; at least one.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(&self, command: &TableCommand, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let mut events = match command {
            _ if self.is_closed() => Err(Rejection::Closed),
            _ if self.rematch().next().is_some() => Err(Rejection::Rematched),
            TableCommand::Close => self.decide_close(),
            TableCommand::MakeGood(outage) => self.decide_make_good(*outage),
            TableCommand::Timer(timer) => self.decide_timer(*timer, now),
            TableCommand::Person { by, seat, action } => self.decide_action(by, *seat, action, now),
        }?;
        self.go_on_without(&mut events);
        Ok(events)
    }

    /// What a person wants, for the seat that was named.
    fn decide_action(
        &self,
        by: &UserView,
        named: Option<Color>,
        action: &Action,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        match action {
            Action::Sit { seat, invite, nonce } => self.decide_sit(by, *seat, *invite, nonce),
            Action::Leave => self.decide_leave(by.id, named),
            Action::Rematch { action, nonce, next } => {
                self.decide_rematch(by.id, named, *action, nonce, *next)
            }
            Action::Kick { color } => self.decide_kick(by.id, *color),
            Action::AddBot { seat, bot, nonce } => self.decide_add_bot(by.id, *seat, bot, nonce),
            Action::Move { at, mv, claim_draw } => {
                self.decide_move(self.any_seat(by.id, named)?, *at, *mv, *claim_draw, now)
            }
            Action::Resign => self.ask_rules(&GameCommand::Resign { color: self.acting(by.id, named)? }, now),
            Action::Resume => self.decide_resume(self.any_seat(by.id, named)?, now),
            Action::Request { request, action } => self.decide_request(by, named, *request, *action, now),
            Action::Chat { room, message } => self.decide_chat(by, named, *room, message, now),
            Action::ClaimDraw => {
                self.ask_rules(&GameCommand::ClaimDraw { color: self.any_seat(by.id, named)? }, now)
            }
        }
    }

    fn decide_move(
        &self,
        color: Color,
        at: u64,
        mv: Move,
        claim_draw: bool,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let game = self.running()?;
        if game.eliminated().iter().any(|elimination| elimination.color == color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        if at > self.head() {
            return Err(Rejection::Ahead { at, head: self.head() });
        }
        if at < self.changed() {
            return Err(Rejection::Stale { changed: self.changed(), at });
        }
        self.check_not_frozen()?;
        let lag = self.lag_credit(now);
        let command = GameCommand::Move { color, mv, claim_draw };
        let mut events = self.ask_rules(&command, lag::before(now, lag))?;
        if let Some(Event::Moved { away_ms, lag_ms, .. }) = events.first_mut() {
            *away_ms = millis(self.attendance.unlogged(color, now));
            *lag_ms = millis(lag);
        }
        Ok(events)
    }

    pub(super) fn running(&self) -> Result<&Game, Rejection> {
        match &self.stage {
            Stage::Open => Err(Rejection::NotStarted),
            Stage::Running(game) => Ok(game),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    pub(super) fn ask_rules(&self, command: &GameCommand, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let game = self.running()?;
        match game.decide(command, now) {
            Ok(events) => Ok(events.into_iter().map(Event::from_rules).collect()),
            Err(quadrex_rules::Rejection::IllegalMove { mv }) => {
                Err(Rejection::IllegalMove { mv, why: Why::of(game.position(), mv) })
            }
            Err(rejection) => Err(Rejection::Rules(rejection)),
        }
    }
}

/// Whole milliseconds, as the wire has them.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
