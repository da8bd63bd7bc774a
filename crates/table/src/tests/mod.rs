//! Tests of decisions, events, replays and views.

mod anonymous;
mod away;
mod bots;
mod chat;
mod closing;
mod commands;
mod conditional_moves;
mod hotseat;
mod lag;
mod lot;
mod outages;
mod random;
mod rematch;
mod replay;
mod report;
mod requests;
mod seating;
mod settings;
mod times;
mod vacations;
mod view;

use std::time::Duration;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, RequestAction, TableId, UserId};
use quadrex_rules::{Color, Request, Timestamp, Variant};
use uuid::Uuid;

use crate::{
    Action, ConnectedPlayer, History, Invitation, MatchTerms, NumberedEvent, PlayerCommand, Rejection,
    TableCommand, TableIdentity, TableState, Timer, validate_settings,
};
use quadrex_protocol::LotKey;

pub(super) const TABLE: TableId = TableId(Uuid::from_u128(1));
pub(super) const MATCH: MatchId = MatchId(Uuid::from_u128(2));
pub(super) const IDENTITY: TableIdentity =
    TableIdentity { table: TABLE, match_id: MATCH, lot_key: LotKey([9; 32]) };
const OPENED_MS: u64 = 1_000_000;

/// Returns a person with a short name, and an id derived from it.
pub(super) fn person(name: &str) -> UserView {
    let id = name.bytes().fold(0_u128, |id, byte| id << 8 | u128::from(byte));
    UserView {
        id: UserId(Uuid::from_u128(id)),
        name: name.to_owned(),
        account: true,
        bot: None,
        anonymous: false,
    }
}

/// Returns the default terms of a table of this variant, created by "host".
pub(super) fn terms(variant: Variant) -> MatchTerms {
    terms_of(plain(variant))
}

/// Returns the request for a public table with default settings.
pub(super) fn plain(variant: Variant) -> CreateTable {
    CreateTable::plain(variant, Privacy::Public)
}

pub(super) const FISCHER: TimeSetting = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };

/// Returns the terms of a table that "host" requests.
pub(super) fn terms_of(request: CreateTable) -> MatchTerms {
    MatchTerms::new(validate_settings(request).unwrap(), person("host")).unwrap()
}

/// A match with a clock that every command advances by a second.
pub(super) struct Fixture {
    pub(super) history: History,
    pub(super) log: Vec<NumberedEvent>,
    now_ms: u64,
}

impl Fixture {
    pub(super) fn open(terms: &MatchTerms) -> Self {
        let opened = NumberedEvent { seq: 1, at: Timestamp::from_millis(OPENED_MS), event: opened(terms) };
        let history = History::replay(IDENTITY, vec![opened.clone()]).unwrap();
        Self { history, log: vec![opened], now_ms: OPENED_MS }
    }

    /// Starts a match in which people named like their colors hold all seats. If the lot decides
    /// the first player, the player `beginner` seats after the first one begins: the last player's
    /// nonce is chosen for that.
    pub(super) fn started(terms: &MatchTerms, beginner: usize) -> Self {
        let mut fixture = Self::open(terms);
        let colors: Vec<_> = fixture.state().seats().iter().map(|seat| seat.color).collect();
        let (last, others) = colors.split_last().unwrap();
        for color in others {
            fixture.execute(color.name(), sit(Some(*color), None)).unwrap();
        }
        fixture.sit_last(*last, beginner);
        fixture
    }

    /// Takes the last open seat, with a nonce that makes the lot choose this first player.
    pub(super) fn sit_last(&mut self, color: Color, first_player: usize) {
        let begins = |action: &Action| match self.decide(color.name(), action.clone()).unwrap().last() {
            Some(Event::Started { first_player, .. }) => *first_player,
            other => panic!("{other:?} instead of a start"),
        };
        let seats = self.state().seats();
        let is_drawn = seats.len() > 2 && self.state().terms().settings.setup.is_none();
        let wanted = seats[first_player % seats.len()].color;
        let mut ways = (0..1_000).map(|number| sit_with(Some(color), &number.to_string()));
        let way = ways.find(|action| !is_drawn || begins(action) == wanted).unwrap();
        self.execute(color.name(), way).unwrap();
    }

    pub(super) fn state(&self) -> &TableState {
        self.history.state()
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now_ms)
    }

    /// Decides a user's action at the present time.
    pub(super) fn decide(&self, by: &str, action: Action) -> Result<Vec<Event>, Rejection> {
        self.decide_for(by, None, action)
    }

    /// Decides a user's action for one of the user's seats at the present time.
    pub(super) fn decide_for(
        &self,
        by: &str,
        seat: Option<Color>,
        action: Action,
    ) -> Result<Vec<Event>, Rejection> {
        self.state().decide(&TableCommand::Player(PlayerCommand { by: person(by), seat, action }), self.now())
    }

    /// Decides and applies a user's action.
    pub(super) fn execute(&mut self, by: &str, action: Action) -> Result<Vec<Event>, Rejection> {
        self.execute_for(by, None, action)
    }

    /// Decides and applies a user's action for one of the user's seats.
    pub(super) fn execute_for(
        &mut self,
        by: &str,
        seat: Option<Color>,
        action: Action,
    ) -> Result<Vec<Event>, Rejection> {
        self.now_ms += 1_000;
        let events = self.decide_for(by, seat, action)?;
        self.apply_events(&events);
        Ok(events)
    }

    /// Advances the clock, and flags the player to move if the time is up.
    pub(super) fn advance_and_flag(&mut self, pause_ms: u64) -> Result<Vec<Event>, Rejection> {
        self.advance_ms(pause_ms);
        let events = self.state().decide(&TableCommand::Timer(Timer::Flag), self.now())?;
        self.apply_events(&events);
        Ok(events)
    }

    /// Advances the clock.
    pub(super) fn advance_ms(&mut self, pause_ms: u64) {
        self.now_ms += pause_ms;
    }

    /// Decides and applies all expired deadlines, like the table's actor.
    pub(super) fn expire_deadlines(&mut self) -> Vec<Event> {
        let mut done = Vec::new();
        while let Some(due) = self.state().next_deadline().filter(|due| due.at <= self.now()) {
            let events = self.state().decide(&TableCommand::Timer(due.timer), self.now()).unwrap();
            self.apply_events(&events);
            done.extend(events);
        }
        done
    }

    /// Sets the connected players.
    pub(super) fn set_connected(&mut self, here: &[Color]) {
        let now = self.now();
        let here: Vec<ConnectedPlayer> =
            here.iter().map(|&color| ConnectedPlayer { color, round_trip: Duration::ZERO }).collect();
        self.history.set_connected(&here, now);
    }

    /// Makes a move at the current head.
    pub(super) fn play(&mut self, by: &str, mv: &str) -> Result<Vec<Event>, Rejection> {
        let action = self.mv(mv);
        self.execute(by, action)
    }

    /// Returns a move at the current head.
    pub(super) fn mv(&self, mv: &str) -> Action {
        Action::Move { after: self.state().head(), mv: mv.parse().unwrap(), claim_draw: false }
    }

    pub(super) fn apply_events(&mut self, events: &[Event]) {
        for event in events {
            self.history.push(event.clone(), self.now());
            self.log.push(NumberedEvent { seq: self.state().head(), at: self.now(), event: event.clone() });
        }
    }
}

/// Returns the action of taking a seat.
pub(super) fn sit(seat: Option<Color>, invite: Option<Invitation>) -> Action {
    Action::Sit { seat, invite, nonce: nonce("n"), rating: None }
}

/// Returns the action of taking a seat with this nonce.
pub(super) fn sit_with(seat: Option<Color>, text: &str) -> Action {
    Action::Sit { seat, invite: None, nonce: nonce(text), rating: None }
}

pub(super) fn nonce(text: &str) -> Nonce {
    text.parse().unwrap()
}

/// Returns the first event of a match with these terms.
pub(super) fn opened(terms: &MatchTerms) -> Event {
    terms.opened_event(IDENTITY.lot_key.secret(MATCH).commitment())
}

/// Returns a draw offer, or an answer to one.
pub(super) fn draw(action: RequestAction) -> Action {
    Action::Request { request: Request::Draw, action }
}

/// Returns a takeback request, or an answer to one.
pub(super) fn takeback(action: RequestAction) -> Action {
    Action::Request { request: Request::Takeback, action }
}

/// Returns a pause request, or an answer to one.
pub(super) fn pause(action: RequestAction) -> Action {
    Action::Request { request: Request::Pause, action }
}

/// Returns terms with a start position.
pub(super) fn terms_from(variant: Variant, setup: &str) -> MatchTerms {
    terms_of(CreateTable { setup: Some(setup.to_owned()), ..plain(variant) })
}
