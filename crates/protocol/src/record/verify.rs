//! Verification of a record: the lot, the legality of every event, and the result.

use std::collections::BTreeMap;
use std::fmt;

use quadrex_rules::{AnyPosition, Color, Outcome, Setup};

use super::from_match_log::{InvalidMatchLog, first_move};
use super::{MatchRecord, RecordError};
use crate::MatchId;
use crate::event::Event;
use crate::lot::{Commitment, LotParts, LotResult, Nonce, draw};
use crate::settings::{Seating, TableSettings};
use crate::user::UserView;

/// The result of a successful verification. `Display` summarizes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    match_id: Option<MatchId>,
    is_drawn: bool,
    events: usize,
    outcome: Option<Outcome>,
}

/// An error in a record. If the error concerns an event, it contains the event's number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The log does not begin with the opening of a match.
    #[error(transparent)]
    InvalidMatchLog(#[from] InvalidMatchLog),
    /// An event of the table is not possible after the events before it.
    #[error("event {number} cannot have happened there: {reason}")]
    Table {
        /// The number of the event, from 1.
        number: usize,
        /// The reason.
        reason: &'static str,
    },
    /// A field of the record contradicts the record's events.
    #[error("{field} contradicts event {number}")]
    Field {
        /// The field.
        field: &'static str,
        /// The number of the event.
        number: usize,
    },
    /// The match's id is missing, so the lot cannot be verified.
    #[error("match is missing: the lot cannot be checked without it")]
    NoMatchId,
    /// The secret is not the secret that the server committed to.
    #[error("event {number} reveals a secret that is not the one event 1 commits to")]
    Secret {
        /// The number of the `started` event.
        number: usize,
    },
    /// The player who moved first is not the player that the lot determines.
    #[error("event {number} lets {found} begin, but the lot drew {drawn}")]
    FirstPlayer {
        /// The number of the `started` event.
        number: usize,
        /// The player who moved first.
        found: Color,
        /// The player that the lot determines.
        drawn: Color,
    },
    /// The assignment of seats differs from the assignment that the lot determines.
    #[error("event {number} assigns the seats differently from the lot")]
    Seats {
        /// The number of the `started` event.
        number: usize,
    },
    /// The players' names differ from the names of the seated users.
    #[error("players does not match the seated users")]
    Players,
    /// An event of the game is not possible after the events before it.
    #[error(transparent)]
    Game(#[from] RecordError),
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.match_id {
            Some(match_id) => write!(f, "match {match_id}: ")?,
            None => f.write_str("a game: ")?,
        }
        f.write_str(if self.is_drawn { "lot, " } else { "no lot to check, " })?;
        write!(f, "{} events", self.events)?;
        let Some(outcome) = &self.outcome else { return f.write_str(", no result yet") };
        write!(f, ", {}:", outcome.reason)?;
        for (index, (color, place)) in outcome.places.iter().enumerate() {
            write!(f, "{}{color} {place}", if index == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

impl MatchRecord {
    /// Verifies the lot, the legality of every event, and the result. A game that was not played on
    /// a server has no lot, so only the rest is verified.
    ///
    /// # Errors
    /// Returns [`VerifyError`] with the first error in the record.
    pub fn verify(&self) -> Result<Verified, VerifyError> {
        let is_match = self.events.iter().any(|recorded| recorded.event.to_rules().is_none());
        let is_drawn = if is_match { self.verify_table()? } else { false };
        let playback = self.replay()?;
        Ok(Verified {
            match_id: self.match_id,
            is_drawn,
            events: self.events.len(),
            outcome: playback.game().outcome().cloned(),
        })
    }

    /// Verifies the events of the table. Returns true if the match has started. In this case its
    /// lot was verified.
    fn verify_table(&self) -> Result<bool, VerifyError> {
        let Some(Event::Opened { settings, commitment, .. }) = self.events.first().map(|first| &first.event)
        else {
            return Err(InvalidMatchLog::NotOpened.into());
        };
        self.verify_fields(settings)?;
        let mut table = Table::open(settings, *commitment)?;
        for (number, recorded) in (2..).zip(&self.events[1..]) {
            table.apply(&recorded.event, number, self.match_id)?;
        }
        let names = table.holders.iter().map(|(color, (user, _))| (*color, user.name.clone()));
        if names.collect::<BTreeMap<_, _>>() != self.players {
            return Err(VerifyError::Players);
        }
        Ok(table.has_started)
    }

    fn verify_fields(&self, settings: &TableSettings) -> Result<(), VerifyError> {
        let setup = first_move(settings, &self.events).map_err(InvalidMatchLog::from)?;
        let fields = [
            ("variant", self.variant == settings.variant),
            ("draws", self.draws.unwrap_or_default() == settings.draws),
            ("time", self.time == Some(settings.time)),
            ("setup", self.setup == setup),
        ];
        match fields.into_iter().find(|(_, is_right)| !is_right) {
            Some((field, _)) => Err(VerifyError::Field { field, number: 1 }),
            None => Ok(()),
        }
    }
}

/// The state of a table as replayed from its events.
struct Table<'a> {
    settings: &'a TableSettings,
    commitment: Commitment,
    /// The start position. The player to move in this position is not final, because the lot may
    /// choose another player.
    start: AnyPosition,
    holders: BTreeMap<Color, (UserView, Nonce)>,
    has_started: bool,
    has_closed: bool,
}

impl<'a> Table<'a> {
    fn open(settings: &'a TableSettings, commitment: Commitment) -> Result<Self, VerifyError> {
        let setup = match &settings.setup {
            Some(text) => Setup::parse(settings.variant, text).map_err(InvalidMatchLog::from)?,
            None => Setup::start(settings.variant),
        };
        let start = AnyPosition::new(&setup)
            .map_err(|_| VerifyError::Table { number: 1, reason: "no match can start from its setup" })?;
        let (holders, has_started, has_closed) = (BTreeMap::new(), false, false);
        Ok(Self { settings, commitment, start, holders, has_started, has_closed })
    }

    fn apply(&mut self, event: &Event, number: usize, match_id: Option<MatchId>) -> Result<(), VerifyError> {
        let wrong = |reason| Err(VerifyError::Table { number, reason });
        let is_open = !self.has_started && !self.has_closed;
        match event {
            Event::Opened { .. } => return wrong("a match is opened once"),
            Event::MessageSent { .. } => {}
            Event::Seated { color, user, nonce } => {
                let is_seat = self.start.active_players().any(|seat| seat == *color);
                let sits_twice = self.holders.values().any(|(holder, _)| holder.id == user.id);
                if sits_twice && !self.settings.hotseat && !user.is_server_bot() {
                    return wrong("one person holds two seats, but the table is not a hotseat table");
                }
                let holder = (user.clone(), nonce.clone());
                if !is_open || !is_seat || self.holders.insert(*color, holder).is_some() {
                    return wrong("the seat cannot be taken");
                }
            }
            Event::Vacated { color, .. } if is_open && self.holders.remove(color).is_some() => {}
            Event::Vacated { .. } => return wrong("no user holds the seat, or the match has begun"),
            Event::HostChanged { host } if is_open && self.holders.values().any(|(user, _)| user == host) => {
            }
            Event::HostChanged { .. } => return wrong("only a seated user becomes host, before the start"),
            Event::Started { .. } if !is_open => return wrong("a match starts once"),
            Event::Started { .. } => self.start(event, number, match_id)?,
            Event::Closed { .. } if self.has_closed => return wrong("a table closes once"),
            Event::Closed { .. } => self.has_closed = true,
            _ if self.has_closed => return wrong("the table is closed"),
            _ if !self.has_started => return wrong("the match has not started"),
            _ => {}
        }
        Ok(())
    }

    /// Draws the lot again and compares the result with the `started` event.
    fn start(&mut self, event: &Event, number: usize, match_id: Option<MatchId>) -> Result<(), VerifyError> {
        let Event::Started { first_player, secret, seats } = event else { return Ok(()) };
        let match_id = match_id.ok_or(VerifyError::NoMatchId)?;
        if secret.commitment() != self.commitment {
            return Err(VerifyError::Secret { number });
        }
        let colors: Vec<Color> = self.start.active_players().collect();
        let holder = |color: &Color| self.holders.get(color).cloned();
        let Some(holders) = colors.iter().map(holder).collect::<Option<Vec<_>>>() else {
            return Err(VerifyError::Table { number, reason: "a seat is open" });
        };
        let parts = LotParts {
            seats: self.settings.seating == Seating::Drawn,
            first_player: self.settings.setup.is_none() && colors.len() > 2,
        };
        let nonces: Vec<Nonce> = holders.iter().map(|(_, nonce)| nonce.clone()).collect();
        let LotResult { seats: from, first_player: index } = draw(secret, match_id, &nonces, parts);
        let drawn = index.map_or(self.start.turn(), |index| colors[index]);
        if *first_player != drawn {
            return Err(VerifyError::FirstPlayer { number, found: *first_player, drawn });
        }
        let moved = colors.iter().zip(&from).map(|(color, from)| (*color, holders[*from].0.clone()));
        let moved: BTreeMap<Color, UserView> = if parts.seats { moved.collect() } else { BTreeMap::new() };
        if *seats != moved {
            return Err(VerifyError::Seats { number });
        }
        for (color, user) in moved {
            if let Some((holder, _)) = self.holders.get_mut(&color) {
                *holder = user;
            }
        }
        self.has_started = true;
        Ok(())
    }
}
