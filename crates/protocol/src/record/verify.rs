//! Checking a record: that its lot was drawn as it had to be, that all that happened could happen, and the result.

use std::collections::BTreeMap;
use std::fmt;

use quadrex_rules::{AnyPosition, Color, Outcome, Setup};

use super::of_match::{NoMatch, first_move};
use super::{MatchRecord, RecordError};
use crate::MatchId;
use crate::event::Event;
use crate::lot::{Commitment, Drawing, Drawn, Nonce, draw};
use crate::settings::{Seating, TableSettings};
use crate::view::UserView;

/// What a record was found to be. `Display` says it in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    match_id: Option<MatchId>,
    is_drawn: bool,
    events: usize,
    outcome: Option<Outcome>,
}

/// What is wrong with a record: which event, where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The log does not begin as a match's.
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    /// What happens at a table happens once, in its order.
    #[error("event {number} cannot have happened there: {why}")]
    Table {
        /// Its number, from 1.
        number: usize,
        /// Why not.
        why: &'static str,
    },
    /// A field of the record says other than its events.
    #[error("{field} is not what event {number} says")]
    Field {
        /// Which.
        field: &'static str,
        /// The event.
        number: usize,
    },
    /// The lot depends on the match's id.
    #[error("match is missing: the lot cannot be checked without it")]
    NoId,
    /// The secret is not the one the server was bound to.
    #[error("event {number} tells a secret that is not the one event 1 commits to")]
    Secret {
        /// The start's number.
        number: usize,
    },
    /// Another began than the lot says.
    #[error("event {number} lets {told} begin, the lot says {drawn}")]
    Beginner {
        /// The start's number.
        number: usize,
        /// Who began.
        told: Color,
        /// Who had to.
        drawn: Color,
    },
    /// Others sat elsewhere than the lot says.
    #[error("event {number} gives the seats otherwise than the lot")]
    Seats {
        /// The start's number.
        number: usize,
    },
    /// The players' names are others than those who sat.
    #[error("players is not who sat at the end")]
    Players,
    /// What happened in the game is not what can have happened.
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
    /// Checks the record: the lot, that everything can have happened where it stands, and the result. A game that
    /// comes from elsewhere has no lot; the rest is checked all the same.
    ///
    /// # Errors
    /// The first thing that is wrong.
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

    /// Goes through what concerns the table; tells whether the match has started.
    fn verify_table(&self) -> Result<bool, VerifyError> {
        let Some(Event::Opened { settings, commitment, .. }) = self.events.first().map(|first| &first.event)
        else {
            return Err(NoMatch::NotOpened.into());
        };
        self.verify_fields(settings)?;
        let mut table = Table::open(settings, *commitment)?;
        for (number, recorded) in (2..).zip(&self.events[1..]) {
            table.take(&recorded.event, number, self.match_id)?;
        }
        let names = table.sitting.iter().map(|(color, (user, _))| (*color, user.name.clone()));
        if names.collect::<BTreeMap<_, _>>() != self.players {
            return Err(VerifyError::Players);
        }
        Ok(table.has_started)
    }

    fn verify_fields(&self, settings: &TableSettings) -> Result<(), VerifyError> {
        let setup = first_move(settings, &self.events).map_err(NoMatch::from)?;
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

/// A table as its events tell it.
struct Table<'a> {
    settings: &'a TableSettings,
    commitment: Commitment,
    /// The position before it is known who begins.
    start: AnyPosition,
    sitting: BTreeMap<Color, (UserView, Nonce)>,
    has_started: bool,
    has_closed: bool,
}

impl<'a> Table<'a> {
    fn open(settings: &'a TableSettings, commitment: Commitment) -> Result<Self, VerifyError> {
        let setup = match &settings.setup {
            Some(text) => Setup::parse(settings.variant, text).map_err(NoMatch::from)?,
            None => Setup::start(settings.variant),
        };
        let start = AnyPosition::new(&setup)
            .map_err(|_| VerifyError::Table { number: 1, why: "no match can start from its setup" })?;
        let (sitting, has_started, has_closed) = (BTreeMap::new(), false, false);
        Ok(Self { settings, commitment, start, sitting, has_started, has_closed })
    }

    fn take(&mut self, event: &Event, number: usize, match_id: Option<MatchId>) -> Result<(), VerifyError> {
        let wrong = |why| Err(VerifyError::Table { number, why });
        let is_open = !self.has_started && !self.has_closed;
        match event {
            Event::Opened { .. } => return wrong("a match is opened once"),
            Event::Said { .. } => {}
            Event::Seated { color, user, nonce } => {
                let is_seat = self.start.players_in().any(|seat| seat == *color);
                let sits_twice = self.sitting.values().any(|(holder, _)| holder.id == user.id);
                if sits_twice && !self.settings.hotseat && !user.is_served() {
                    return wrong("one person holds two seats, but the table is no hotseat");
                }
                let sits = (user.clone(), nonce.clone());
                if !is_open || !is_seat || self.sitting.insert(*color, sits).is_some() {
                    return wrong("the seat is not there to be taken");
                }
            }
            Event::Vacated { color, .. } if is_open && self.sitting.remove(color).is_some() => {}
            Event::Vacated { .. } => return wrong("nobody holds the seat, or the match has begun"),
            Event::HostPassed { to } if is_open && self.sitting.values().any(|(user, _)| user == to) => {}
            Event::HostPassed { .. } => return wrong("only who sits becomes host, before the start"),
            Event::Started { .. } if !is_open => return wrong("a match starts once"),
            Event::Started { .. } => self.start(event, number, match_id)?,
            Event::Closed {} if self.has_closed => return wrong("a table closes once"),
            Event::Closed {} => self.has_closed = true,
            _ if self.has_closed => return wrong("the table is closed"),
            _ if !self.has_started => return wrong("the match has not started"),
            _ => {}
        }
        Ok(())
    }

    /// Draws the lot anew and compares.
    fn start(&mut self, event: &Event, number: usize, match_id: Option<MatchId>) -> Result<(), VerifyError> {
        let Event::Started { beginner, secret, seats } = event else { return Ok(()) };
        let match_id = match_id.ok_or(VerifyError::NoId)?;
        if secret.commitment() != self.commitment {
            return Err(VerifyError::Secret { number });
        }
        let colors: Vec<Color> = self.start.players_in().collect();
        let sits = |color: &Color| self.sitting.get(color).cloned();
        let Some(sitting) = colors.iter().map(sits).collect::<Option<Vec<_>>>() else {
            return Err(VerifyError::Table { number, why: "a seat is open" });
        };
        let drawing = Drawing {
            seats: self.settings.seating == Seating::Drawn,
            beginner: self.settings.setup.is_none() && colors.len() > 2,
        };
        let nonces: Vec<Nonce> = sitting.iter().map(|(_, nonce)| nonce.clone()).collect();
        let Drawn { seats: from, beginner: index } = draw(secret, match_id, &nonces, drawing);
        let drawn = index.map_or(self.start.turn(), |index| colors[index]);
        if *beginner != drawn {
            return Err(VerifyError::Beginner { number, told: *beginner, drawn });
        }
        let moved = colors.iter().zip(&from).map(|(color, from)| (*color, sitting[*from].0.clone()));
        let moved: BTreeMap<Color, UserView> = if drawing.seats { moved.collect() } else { BTreeMap::new() };
        if *seats != moved {
            return Err(VerifyError::Seats { number });
        }
        for (color, user) in moved {
            if let Some((holder, _)) = self.sitting.get_mut(&color) {
                *holder = user;
            }
        }
        self.has_started = true;
        Ok(())
    }
}
