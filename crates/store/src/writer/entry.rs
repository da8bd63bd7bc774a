//! An append in the form that the databases write.

use quadrex_protocol::MatchId;
use quadrex_protocol::view::Phase;
use quadrex_rules::Timestamp;

use crate::log::event_text;
use crate::{Append, Author, Epoch, NextMatch, column};

/// An [`Append`] with its events as text: the table encodes them, not the writer that all tables
/// share.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) match_id: MatchId,
    pub(crate) epoch: Epoch,
    pub(crate) head_seq: u64,
    pub(crate) at: Timestamp,
    pub(crate) events: Vec<String>,
    /// The phase that the events lead to, if they change it.
    pub(crate) phase: Option<Phase>,
    pub(crate) by: Option<Author>,
    pub(crate) next: Option<NextEntry>,
}

/// A [`NextMatch`] with its events as text.
#[derive(Clone, Debug)]
pub(crate) struct NextEntry {
    pub(crate) match_id: MatchId,
    pub(crate) events: Vec<String>,
    /// The phase that the events lead to.
    pub(crate) phase: Phase,
}

impl Entry {
    pub(crate) fn of(append: &Append) -> Self {
        Self {
            match_id: append.match_id,
            epoch: append.epoch,
            head_seq: append.head_seq,
            at: append.at,
            events: append.events.iter().map(event_text).collect(),
            phase: column::phase_after(&append.events),
            by: append.by.clone(),
            next: append.next.as_ref().map(NextEntry::of),
        }
    }

    /// Returns the match's head once this is written.
    pub(crate) fn new_head(&self) -> u64 {
        self.head_seq + self.events.len() as u64
    }

    /// Returns its rows of the log: seq and event.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, &str)> {
        (self.head_seq + 1..).zip(self.events.iter().map(String::as_str))
    }

    /// Returns true if it writes nothing but its own match and log, so that it may share a
    /// transaction with others.
    pub(super) fn is_plain(&self) -> bool {
        self.next.is_none() && self.by.as_ref().is_none_or(|author| author.redeem.is_none())
    }

    /// Returns the size of its events.
    pub(super) fn size_bytes(&self) -> usize {
        self.events.iter().map(String::len).sum()
    }
}

impl NextEntry {
    fn of(next: &NextMatch) -> Self {
        Self {
            match_id: next.match_id,
            events: next.events.iter().map(event_text).collect(),
            phase: column::phase_after(&next.events).unwrap_or(Phase::Open),
        }
    }
}
