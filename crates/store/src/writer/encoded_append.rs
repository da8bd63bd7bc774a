//! Appends with encoded events.

use quadrex_protocol::MatchId;
use quadrex_protocol::view::Phase;
use quadrex_rules::Timestamp;

use crate::log::event_text;
use crate::{Append, Author, Epoch, NextMatch, SeatHolder, column};

/// An [`Append`] with its events as text. The events are encoded by the task of the table, because
/// the writer's task is shared by all tables.
#[derive(Clone, Debug)]
pub(crate) struct EncodedAppend {
    pub(crate) match_id: MatchId,
    pub(crate) epoch: Epoch,
    pub(crate) head_seq: u64,
    pub(crate) at: Timestamp,
    pub(crate) events: Vec<String>,
    /// The phase of the match after the events, if the events change the phase.
    pub(crate) phase: Option<Phase>,
    /// The seat holders after the events, if the events change them.
    pub(crate) holders: Option<Vec<SeatHolder>>,
    pub(crate) by: Option<Author>,
    /// The next match. It is boxed because most appends have none.
    pub(crate) next: Option<Box<EncodedNextMatch>>,
}

/// A [`NextMatch`] with its events as text.
#[derive(Clone, Debug)]
pub(crate) struct EncodedNextMatch {
    pub(crate) match_id: MatchId,
    pub(crate) events: Vec<String>,
    /// The phase of the match after the events.
    pub(crate) phase: Phase,
    /// The seat holders after the events.
    pub(crate) holders: Vec<SeatHolder>,
}

impl EncodedAppend {
    pub(crate) fn of(append: &Append) -> Self {
        Self {
            match_id: append.match_id,
            epoch: append.epoch,
            head_seq: append.head_seq,
            at: append.at,
            events: append.events.iter().map(event_text).collect(),
            phase: column::phase_after(&append.events),
            holders: append.holders.clone(),
            by: append.by.clone(),
            next: append.next.as_ref().map(EncodedNextMatch::of).map(Box::new),
        }
    }

    /// Returns the number of the last event of this append.
    pub(crate) fn new_head(&self) -> u64 {
        self.head_seq + self.events.len() as u64
    }

    /// Returns the number and the text of each event.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, &str)> {
        (self.head_seq + 1..).zip(self.events.iter().map(String::as_str))
    }

    /// Returns true if the append writes only to its own match and its derived rows. Such an
    /// append may share a transaction with other appends.
    pub(super) fn is_plain(&self) -> bool {
        self.next.is_none() && self.by.as_ref().is_none_or(|author| author.redeem.is_none())
    }

    /// Returns true if the append changes rows that are derived from the log: the seat holders, or
    /// the archive's queue. A plain move does not.
    pub(crate) fn changes_derived_rows(&self) -> bool {
        self.holders.is_some() || self.phase.is_some()
    }

    /// Returns the total size of the events.
    pub(super) fn size_bytes(&self) -> usize {
        self.events.iter().map(String::len).sum()
    }
}

impl EncodedNextMatch {
    fn of(next: &NextMatch) -> Self {
        Self {
            match_id: next.match_id,
            events: next.events.iter().map(event_text).collect(),
            phase: column::phase_after(&next.events).unwrap_or(Phase::Open),
            holders: next.holders.clone(),
        }
    }
}
