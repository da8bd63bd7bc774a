//! A match with its history: the state, and an entry for each event that led to it.

use quadrex_protocol::position_view::{attacks, changed_reserves, changed_squares};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, TurnAbsence};
use quadrex_rules::Timestamp;

use crate::replay_error::{CorruptLog, ReplayError};
use crate::state::{ConnectedPlayer, MatchTerms, TableIdentity, TableState};

/// An event with its number and time, as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedEvent {
    /// The number of the event in the match, from 1.
    pub seq: u64,
    /// The time at which the event happened.
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
    /// Restores the history of a match from its log.
    ///
    /// # Errors
    /// Returns [`CorruptLog`] with the first event that cannot occur at its place.
    pub fn replay(identity: TableIdentity, log: Vec<NumberedEvent>) -> Result<Self, CorruptLog> {
        let corrupt_at = |seq| move |source| CorruptLog { match_id: identity.match_id, seq, source };
        let mut log = log.into_iter();
        let first = log.next().ok_or(ReplayError::Empty).map_err(corrupt_at(1))?;
        let mut history = Self::open(identity, &first).map_err(corrupt_at(first.seq))?;
        for NumberedEvent { seq, at, event } in log {
            history.state.check_event(&event).map_err(corrupt_at(seq))?;
            history.push(event, at);
        }
        Ok(history)
    }

    /// Returns the history of a match after its first event.
    fn open(identity: TableIdentity, first: &NumberedEvent) -> Result<Self, ReplayError> {
        let Event::Opened { settings, host, commitment, kicked, .. } = first.event.clone() else {
            return Err(ReplayError::Opened);
        };
        if identity.lot_key.secret(identity.match_id).commitment() != commitment {
            return Err(ReplayError::Lot);
        }
        let mut terms = MatchTerms::new(settings, host)?;
        terms.kicked = kicked;
        let state = TableState::open(identity, terms, first.at)?;
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

    /// Restores the time that an absent player has spent in the current turn. A server stored this
    /// time beside the log. `alive` is the last moment at which that server is known to have run.
    /// Does nothing if the log has a later event that changed the turn or recorded this time.
    pub fn restore_absence(&mut self, stored: &TurnAbsence, alive: Timestamp) {
        self.state.restore_absence(stored, alive);
    }

    /// Lets time run as if this interruption had been applied. The event is not in the log yet, but
    /// it will be the next event of the log.
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

    /// Replays the match from its start. For each entry with a number greater than `after`, calls
    /// `visit` with the entry and with the state after it.
    pub fn replay_from(&self, after: u64, mut visit: impl FnMut(&Entry, &TableState)) {
        let first = self.entries.first().expect("a match has its first event");
        let mut state = TableState::open(
            self.state.identity(),
            self.state.terms().clone(),
            Timestamp::from_millis(first.at_ms),
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
