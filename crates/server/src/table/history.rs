//! A match with its past: the state, and an entry for each event that led to it.

use quadrex_protocol::chat::Room;
use quadrex_protocol::position_view::{attacks, changed_reserves, changed_squares};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, MatchId, RequestAction, UserId};
use quadrex_rules::{Color, Move, Request, StartError, Timestamp};

use super::attendance::Here;
use super::chat::SHOWN;
use super::lot::Origin;
use super::requests;
use super::settings::Terms;
use super::state::{Stage, TableState};
use crate::bus::Viewer;
use quadrex_store::TurnAway;

/// One event of a log: its number, when it happened, what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its number in the match, from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub event: Event,
}

/// A log that cannot be read back: which match, at which event, why.
#[derive(Debug, thiserror::Error)]
#[error("event {seq} of match {match_id} does not follow from those before it")]
pub struct Unreadable {
    /// Which match.
    pub match_id: MatchId,
    /// The first event that makes no sense.
    pub seq: u64,
    /// Why it makes none.
    pub source: Misfit,
}

/// Why an event cannot have happened where the log has it.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    /// A log begins with `opened`, and has no other.
    #[error("a log begins with opened, and only there")]
    Opened,
    /// Nothing was logged.
    #[error("the log is empty")]
    Empty,
    /// The terms give no game.
    #[error("no match can start from its set-up")]
    Start(#[from] StartError),
    /// The set-up is no text of a position.
    #[error("its set-up cannot be read")]
    Setup(#[from] quadrex_rules::SetupError),
    /// The seat is not there, or not as free (or held) as the event needs.
    #[error("{0}'s seat cannot change hands here")]
    Seat(Color),
    /// Only one who sits can be made host, before the start.
    #[error("{0} cannot be made host here")]
    Host(UserId),
    /// The table closes once, without a running match, and nothing comes after.
    #[error("the table is closed, or cannot close here")]
    Closed,
    /// Another match cannot be asked for, agreed or declined here.
    #[error("nothing of another match can happen here")]
    Rematch,
    /// The match cannot begin here.
    #[error("the match cannot begin here: a seat is open, or it has begun")]
    NotReady,
    /// The commitment or the start is not what the table's key gives.
    #[error("the lot gives something else")]
    Lot,
    /// The match is not running.
    #[error("the match is not running")]
    NotRunning,
    /// The move is not this player's, or not legal.
    #[error("{1} is no move of {0} here")]
    Move(Color, Move),
    /// The match stands still, or does not, as the event needs.
    #[error("no standstill can begin, change or end like this here")]
    Standstill,
    /// A bot plays in somebody's place already, or none does, or none can.
    #[error("no bot can begin or cease to play for {0} here")]
    StandIn(Color),
    /// The color is not in any more.
    #[error("{0} is not in the match")]
    NotIn(Color),
    /// Such a request is open already, or none is that the color could answer.
    #[error("{1} cannot do that about a {0} request here")]
    Request(Request, Color),
    /// Whoever spoke does not hold the seat told.
    #[error("whoever spoke does not hold that seat")]
    Speaker,
    /// Not so many moves can be taken back.
    #[error("{0} moves cannot be taken back here")]
    Takeback(u32),
}

/// A match's state with the entries of all its events.
#[derive(Clone, Debug)]
pub struct History {
    state: TableState,
    entries: Vec<Entry>,
}

impl History {
    /// Reads a match back from its log.
    ///
    /// # Errors
    /// Names the first event that cannot have happened.
    pub fn replay(origin: Origin, log: Vec<Fact>) -> Result<Self, Unreadable> {
        let unreadable = |seq| move |source| Unreadable { match_id: origin.match_id, seq, source };
        let mut log = log.into_iter();
        let first = log.next().ok_or(Misfit::Empty).map_err(unreadable(1))?;
        let mut history = Self::open(origin, &first).map_err(unreadable(first.seq))?;
        for fact in log {
            history.state.misfit(&fact.event).map_err(unreadable(fact.seq))?;
            history.push(fact.event, fact.at);
        }
        Ok(history)
    }

    /// A match with its first event alone.
    fn open(origin: Origin, first: &Fact) -> Result<Self, Misfit> {
        let Event::Opened { settings, host, commitment, kicked, .. } = first.event.clone() else {
            return Err(Misfit::Opened);
        };
        if origin.lot_key.secret(origin.match_id).commitment() != commitment {
            return Err(Misfit::Lot);
        }
        let mut terms = Terms::new(settings, host)?;
        terms.kicked = kicked;
        let state = TableState::open(origin, terms, first.at)?;
        let checks: Vec<_> = state.start().checks().collect();
        let entry = Entry {
            seq: 1,
            at_ms: first.at.as_millis(),
            event: first.event.clone(),
            notation: None,
            squares: changed_squares(state.start(), state.start()),
            attacks: attacks(state.start(), &checks),
            reserves: changed_reserves(None, state.start()),
            checks,
        };
        Ok(Self { state, entries: vec![entry] })
    }

    /// Takes in the next event and gives back its entry.
    pub fn push(&mut self, event: Event, at: Timestamp) -> &Entry {
        let before = self.state.position().clone();
        self.state.apply(&event, at);
        let after = self.state.position();
        let text = match &event {
            Event::Moved { mv, .. } => Some(quadrex_rules::notation::move_text(&before, *mv)),
            _ => None,
        };
        let checks: Vec<_> = after.checks().collect();
        self.entries.push(Entry {
            seq: self.state.head(),
            at_ms: at.as_millis(),
            notation: text,
            squares: changed_squares(&before, after),
            attacks: attacks(after, &checks),
            reserves: changed_reserves(Some(&before), after),
            checks,
            event,
        });
        self.entries.last().expect("one was just added")
    }

    /// The state after all events.
    #[must_use]
    pub fn state(&self) -> &TableState {
        &self.state
    }

    /// See [`TableState::recall`].
    pub(super) fn recall(&mut self, kept: &TurnAway, alive: Timestamp) {
        self.state.recall(kept, alive);
    }

    /// See [`TableState::foresee`].
    pub(super) fn foresee(&mut self, interrupted: &Event, at: Timestamp) {
        self.state.foresee(interrupted, at);
    }

    /// See [`TableState::notice`].
    pub fn notice(&mut self, here: &[Here], at: Timestamp) {
        self.state.notice(here, at);
    }

    /// The entries of all events, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that somebody who comes is shown: without what is kept from them, and of the bystanders' words the last
    /// [`SHOWN`] alone, so that no talk makes a match heavy for all who come.
    pub(super) fn shown_to(&self, viewer: Viewer) -> impl Iterator<Item = &Entry> {
        let is_bystanders =
            |entry: &Entry| matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. });
        let said = self.entries.iter().filter(|entry| is_bystanders(entry)).count();
        let mut left_out = said.saturating_sub(SHOWN);
        self.entries.iter().filter(move |entry| {
            let is_old = is_bystanders(entry) && left_out > 0;
            left_out -= usize::from(is_old);
            !is_old && !self.state.is_kept_from(entry, viewer)
        })
    }

    /// The number of the last event that is told to the seated too.
    #[must_use]
    pub fn last_for_all(&self) -> u64 {
        let last = self.entries.iter().rfind(|entry| !self.state.is_for_bystanders(entry));
        last.expect("a match has its first event").seq
    }

    /// When the last event happened.
    #[must_use]
    pub fn last_at(&self) -> Timestamp {
        Timestamp::from_millis(self.entries.last().expect("a match has its first event").at_ms)
    }

    /// Shows each entry after the `after`-th with the state it led to, by going through the match again.
    pub fn retell(&self, after: u64, mut show: impl FnMut(&Entry, &TableState)) {
        let opened = self.entries.first().expect("a match has its first event");
        let mut state = TableState::open(
            self.state.origin(),
            self.state.terms().clone(),
            Timestamp::from_millis(opened.at_ms),
        )
        .expect("it was opened on these terms before");
        for entry in &self.entries {
            if entry.seq > 1 {
                state.apply(&entry.event, Timestamp::from_millis(entry.at_ms));
            }
            if entry.seq > after {
                show(entry, &state);
            }
        }
    }
}

impl TableState {
    /// Whether an event can have happened here.
    ///
    /// # Errors
    /// Why not.
    pub fn misfit(&self, event: &Event) -> Result<(), Misfit> {
        let running = || match self.stage() {
            Stage::Running(game) => Ok(game),
            Stage::Open | Stage::Ended(_) => Err(Misfit::NotRunning),
        };
        let player_in = |color: &Color| {
            let is_in = running()?.position().players_in().any(|player| player == *color);
            if is_in { Ok(()) } else { Err(Misfit::NotIn(*color)) }
        };
        match event {
            Event::Opened { .. } => Err(Misfit::Opened),
            _ if self.is_closed() => Err(Misfit::Closed),
            _ if self.rematch().next().is_some() => Err(Misfit::Rematch),
            Event::Closed {} => self.misfit_closed(),
            Event::RematchRequested { .. }
            | Event::RematchAgreed { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. } => self.misfit_rematch(event),
            Event::Seated { color, user, .. } => self.misfit_seated(*color, user),
            Event::Vacated { color, .. } => self.misfit_vacated(*color),
            Event::HostChanged { host: to } => self.misfit_host(to),
            Event::Started { .. } => self.misfit_started(event),
            Event::Moved { color, mv, .. } => {
                player_in(color)?;
                let position = self.position();
                let fits = position.turn() == *color && position.is_legal(*mv) && !self.is_frozen();
                if fits { Ok(()) } else { Err(Misfit::Move(*color, *mv)) }
            }
            Event::MessageSent { color, user, .. } => {
                let held = self.seats_of(user.id);
                let fits = color.map_or(held.is_empty(), |color| held.contains(&color));
                if fits { Ok(()) } else { Err(Misfit::Speaker) }
            }
            Event::Eliminated { color, .. } => player_in(color),
            Event::Requested { request, color } => {
                player_in(color)?;
                requests::misfit(running()?, *request, RequestAction::Ask, *color)
            }
            Event::Agreed { request, color } => {
                player_in(color)?;
                requests::misfit(running()?, *request, RequestAction::Accept, *color)
            }
            Event::Declined { request, color } => {
                player_in(color)?;
                requests::misfit(running()?, *request, RequestAction::Decline, *color)
            }
            Event::TakenBack { plies, .. } => {
                let reach = running()?.moves().len();
                let fits = usize::try_from(*plies).is_ok_and(|plies| (1..=reach).contains(&plies));
                if fits { Ok(()) } else { Err(Misfit::Takeback(*plies)) }
            }
            Event::Substituted { color, bot } => {
                player_in(color)?;
                self.misfit_stood_in(*color, bot)
            }
            Event::Returned { color } => {
                player_in(color)?;
                self.misfit_returned(*color)
            }
            Event::Interrupted { until_ms, resumes_ms, .. } => {
                self.interrupted_misfit(*until_ms, *resumes_ms)
            }
            Event::Paused {} | Event::Waiting { .. } | Event::Resuming { .. } | Event::Resumed {} => {
                self.freeze_misfit(event)
            }
            Event::Aborted { .. } | Event::Ended { .. } => running().map(|_| ()),
        }
    }
}
