//! A match with its past: the state, and an entry for each event that led to it.

use quadrex_protocol::position_view::{attacks, changed_reserves, changed_squares};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, TurnAbsence};
use quadrex_rules::Timestamp;

use crate::replay_error::{CorruptLog, ReplayError};
use crate::state::{ConnectedPlayer, Origin, TableState, Terms};

/// An event of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its number in the match, from 1.
    pub seq: u64,
    /// Its time.
    pub at: Timestamp,
    /// The event itself.
    pub event: Event,
}

/// The state of a match with the entries of all its events.
#[derive(Clone, Debug)]
pub struct History {
    state: TableState,
    entries: Vec<Entry>,
}

impl History {
    /// Replays a match from its log.
    ///
    /// # Errors
    /// [`CorruptLog`] with the first event that cannot occur.
    pub fn replay(origin: Origin, log: Vec<Fact>) -> Result<Self, CorruptLog> {
        let unreadable = |seq| move |source| CorruptLog { match_id: origin.match_id, seq, source };
        let mut log = log.into_iter();
        let first = log.next().ok_or(ReplayError::Empty).map_err(unreadable(1))?;
        let mut history = Self::open(origin, &first).map_err(unreadable(first.seq))?;
        for fact in log {
            history.state.check_event(&fact.event).map_err(unreadable(fact.seq))?;
            history.push(fact.event, fact.at);
        }
        Ok(history)
    }

    /// Returns a match with its first event alone.
    fn open(origin: Origin, first: &Fact) -> Result<Self, ReplayError> {
        let Event::Opened { settings, host, commitment, kicked, .. } = first.event.clone() else {
            return Err(ReplayError::Opened);
        };
        if origin.lot_key.secret(origin.match_id).commitment() != commitment {
            return Err(ReplayError::Lot);
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

    /// Applies the next event and returns its entry.
    pub fn push(&mut self, event: Event, at: Timestamp) -> &Entry {
        let before = self.state.position().clone();
        self.state.apply(&event, at);
        let after = self.state.position();
        let notation = match &event {
            Event::Moved { mv, .. } => Some(quadrex_rules::notation::move_text(&before, *mv)),
            _ => None,
        };
        let checks: Vec<_> = after.checks().collect();
        self.entries.push(Entry {
            seq: self.state.head(),
            at_ms: at.as_millis(),
            notation,
            squares: changed_squares(&before, after),
            attacks: attacks(after, &checks),
            reserves: changed_reserves(Some(&before), after),
            checks,
            event,
        });
        self.entries.last().expect("one was just added")
    }

    /// Returns the state after all events.
    #[must_use]
    pub fn state(&self) -> &TableState {
        &self.state
    }

    /// Restores the bank that a server stored beside the log and that is known to have run until `alive`.
    /// Does nothing if the log has a later event.
    pub fn restore_absence(&mut self, stored: &TurnAbsence, alive: Timestamp) {
        self.state.restore_absence(stored, alive);
    }

    /// Lets time run as it will after an interruption that is not in the log yet, and will be its next
    /// event.
    pub fn anticipate(&mut self, interruption: &Event, at: Timestamp) {
        self.state.anticipate(interruption, at);
    }

    /// See [`TableState::set_connected`].
    pub fn set_connected(&mut self, players: &[ConnectedPlayer], at: Timestamp) {
        self.state.set_connected(players, at);
    }

    /// Returns the entries of all events, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the time of the last event.
    #[must_use]
    pub fn last_at(&self) -> Timestamp {
        Timestamp::from_millis(self.entries.last().expect("a match has its first event").at_ms)
    }

    /// Calls `visit` with each entry after the `after`-th and the state after it, by a second replay of
    /// the match.
    pub fn replay_from(&self, after: u64, mut visit: impl FnMut(&Entry, &TableState)) {
        let opened = self.entries.first().expect("a match has its first event");
        let mut state = TableState::open(
            self.state.origin(),
            self.state.terms().clone(),
            Timestamp::from_millis(opened.at_ms),
        )
        .expect("the match was opened on these terms before");
        for entry in &self.entries {
            if entry.seq > 1 {
                state.apply(&entry.event, Timestamp::from_millis(entry.at_ms));
            }
            if entry.seq > after {
                visit(entry, &state);
            }
        }
    }
}
