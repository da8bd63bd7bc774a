//! Users, logs and frames for the tests of the auditor, made by hand.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::bot::BotView;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::{OwnTable, TableSummary};
use quadrex_protocol::lot::Secret;
use quadrex_protocol::settings::{
    Absence, Admission, Chat, Privacy, Seating, TableSettings, TimeSetting, Watchers,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Entry, Phase, SeatView, Side};
use quadrex_protocol::{ClientFrame, CommandId, Event, MatchId, TableId, UserId};
use quadrex_rules::{AbortCause, Color, DrawPolicy, GameCommand, Move, Reason, Variant};
use quadrex_store::{Appended, Epoch, LoggedEvent};
use quadrex_tests::referee::Referee;
use serde_json::json;
use uuid::Uuid;

use super::Auditor;
use crate::chance::Chance;
use crate::database_faults::DatabaseFaults;
use crate::trace::{BEGIN, Trace};

pub(super) const WHITE: Color = Color::White;
pub(super) const BLACK: Color = Color::Black;

/// The user who opens tables.
pub(super) const ANN: u128 = 1;

/// The second player.
pub(super) const BEN: u128 = 2;

/// Another user.
pub(super) const CAT: u128 = 3;

/// The number of a bot.
pub(super) const BOT: u128 = 99;

/// Returns an auditor that has observed nothing.
pub(super) fn auditor() -> Auditor {
    Auditor::new(Trace::new(false), Arc::new(DatabaseFaults::new(Chance::new(1), Trace::new(false))))
}

/// Returns an append by the owner of a match.
pub(super) fn appended(match_id: MatchId, last_seq: u64) -> Appended<'static> {
    let epoch = Epoch::FIRST;
    Appended { match_id, last_seq, events: &[], epoch, server: None, owner: None, owner_epoch: epoch }
}

pub(super) fn table_id(number: u128) -> TableId {
    TableId(Uuid::from_u128(number))
}

pub(super) fn match_id(number: u128) -> MatchId {
    MatchId(Uuid::from_u128(number))
}

pub(super) fn user_id(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

pub(super) fn command_id(text: &str) -> CommandId {
    text.parse().unwrap()
}

/// Returns a user. [`BOT`] is a bot of the server, and all others are people.
pub(super) fn user(number: u128) -> UserView {
    let bot = (number == BOT).then(|| BotView::Engine { engine: "an engine".into(), elo: None });
    UserView { id: user_id(number), name: format!("user {number}"), account: false, bot, anonymous: false }
}

/// Returns the command of a player, from its JSON without the table, the match and the id.
pub(super) fn command(id: &str, mut fields: serde_json::Value) -> ClientFrame {
    let fixed = json!({"table": table_id(1), "match": match_id(1), "cmd": id});
    let both = fields.as_object_mut().zip(fixed.as_object());
    both.into_iter().for_each(|(fields, fixed)| fields.extend(fixed.clone()));
    serde_json::from_value(fields).unwrap()
}

pub(super) fn settings(privacy: Privacy) -> TableSettings {
    TableSettings {
        variant: Variant::Classic,
        privacy,
        setup: None,
        time: TimeSetting::None,
        draws: DrawPolicy::Claim,
        absence: Absence::Eliminate,
        watchers: Watchers::Everybody,
        chat: Chat::On,
        admission: Admission::Open,
        rated: false,
        rating_range: None,
        seating: Seating::Chosen,
        move_limit_ms: None,
        hotseat: false,
        group: None,
        anonymous: false,
    }
}

pub(super) fn seated(color: Color, user_number: u128) -> Event {
    Event::Seated { color, user: user(user_number), nonce: "a nonce".to_owned().try_into().unwrap() }
}

pub(super) fn vacated(color: Color, reason: VacateReason) -> Event {
    Event::Vacated { color, reason }
}

pub(super) fn started() -> Event {
    Event::Started { first_player: WHITE, secret: Secret::new([5; 32]), seats: BTreeMap::new() }
}

/// Returns a move in a match without clocks.
pub(super) fn moved(color: Color, mv: &str) -> Event {
    Event::Moved { color, mv: mv.parse().unwrap(), left_ms: None, away_ms: 0, lag_ms: 0 }
}

/// Returns the end of a match that Black has resigned.
pub(super) fn ended() -> Event {
    Event::Ended { reason: Reason::Resign, places: [(WHITE, 1), (BLACK, 2)].into() }
}

pub(super) fn aborted() -> Event {
    Event::Aborted { cause: AbortCause::Agreement }
}

/// A log that grows event by event.
#[derive(Clone, Debug)]
pub(super) struct Log(pub(super) Vec<LoggedEvent>);

impl Log {
    /// Returns the log of a public table that Ann has just opened.
    pub(super) fn opened() -> Self {
        Self::opened_with(settings(Privacy::Public), None)
    }

    /// Returns the log of a table that Ann has just opened.
    pub(super) fn opened_with(settings: TableSettings, previous: Option<MatchId>) -> Self {
        let commitment = Secret::new([5; 32]).commitment();
        let opened = Event::Opened { settings, host: user(ANN), commitment, previous, kicked: Vec::new() };
        Self(Vec::new()).then(opened).by(ANN, "open")
    }

    /// Returns the log of a match of Ann, who plays White, with Ben, who plays Black.
    pub(super) fn started() -> Self {
        Self::opened()
            .then(seated(WHITE, ANN))
            .by(ANN, "sit")
            .then(seated(BLACK, BEN))
            .then(started())
            .by(BEN, "sit")
    }

    /// Adds an event that the server causes one second after the last one.
    pub(super) fn then(self, event: Event) -> Self {
        self.after_ms(1_000, event)
    }

    /// Adds an event that the server causes some time after the last one.
    pub(super) fn after_ms(mut self, later_ms: u64, event: Event) -> Self {
        let last = self.0.last().map_or(BEGIN, |last| last.at);
        let seq = self.0.len() as u64 + 1;
        let at = last + Duration::from_millis(later_ms);
        self.0.push(LoggedEvent { seq, epoch: Epoch(1), at, by: None, command_id: None, event });
        self
    }

    /// Adds what follows from a command some time after the last event.
    pub(super) fn decided(self, later_ms: u64, command: &GameCommand) -> Self {
        let mut referee = Referee::default();
        for row in &self.0 {
            referee.observe(row.seq, row.at.as_millis(), &row.event).unwrap();
        }
        let at = self.0.last().unwrap().at + Duration::from_millis(later_ms);
        let events = referee.game().unwrap().decide(command, at).unwrap();
        let later_ms = [later_ms].into_iter().chain([0].into_iter().cycle());
        events
            .into_iter()
            .zip(later_ms)
            .fold(self, |log, (event, ms)| log.after_ms(ms, Event::from_rules(event)))
    }

    /// Adds a move some time after the last event.
    pub(super) fn played(self, later_ms: u64, color: Color, mv: &str) -> Self {
        let mv: Move = mv.parse().unwrap();
        self.decided(later_ms, &GameCommand::Move { color, mv, claim_draw: false })
    }

    /// Makes a user and its command the cause of the last event.
    pub(super) fn by(mut self, user: u128, command: &str) -> Self {
        let last = self.0.last_mut().unwrap();
        (last.by, last.command_id) = (Some(user_id(user)), Some(command_id(command)));
        self
    }
}

/// Returns a seat that is held.
pub(super) fn seat(color: Color, holder: u128) -> SeatView {
    SeatView { color, side: Side::South, user: Some(user(holder)), substitute: None }
}

/// Returns the log of a correspondence match of Ann and Ben that has started. Each has a day for a move.
pub(super) fn correspondence() -> Log {
    let time = TimeSetting::Correspondence { days: 1 };
    let log = Log::opened_with(TableSettings { time, ..settings(Privacy::Public) }, None);
    log.then(seated(WHITE, ANN)).then(seated(BLACK, BEN)).then(started())
}

/// Returns the entry of a public table in the lobby. Ann is its host.
pub(super) fn summary(table: u128, phase: Phase, seats: &[(Color, u128)]) -> TableSummary {
    TableSummary {
        table: table_id(table),
        settings: settings(Privacy::Public),
        host: user(ANN),
        phase,
        seats: seats.iter().map(|(color, holder)| seat(*color, *holder)).collect(),
        turn: None,
        plies: 0,
        spectators: 0,
        created_at_ms: BEGIN.as_millis(),
    }
}

/// Returns an entry in the list of a user's own tables.
pub(super) fn own_table(summary: TableSummary) -> OwnTable {
    OwnTable { summary, match_id: match_id(1), your_move: false, left_ms: None }
}

/// Returns the entry of an event in a frame.
pub(super) fn entry(seq: u64, at_ms: u64, event: Event) -> Entry {
    Entry {
        seq,
        at_ms,
        event,
        notation: None,
        squares: BTreeMap::new(),
        attacks: Default::default(),
        checks: Default::default(),
        reserves: Default::default(),
    }
}
