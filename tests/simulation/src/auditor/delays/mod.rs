//! Delays: while nothing fails, answers and events arrive soon.

use std::fmt;
use std::time::Duration;

use quadrex_protocol::MatchId;
use tokio::time::Instant;

use super::Auditor;
use crate::trace::virtual_now;

/// The longest time that something may take while nothing fails.
pub(super) const LONGEST: Duration = Duration::from_secs(5);

/// The times at which nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delays {
    calm_since: Option<Instant>,
}

impl Delays {
    /// Returns whether a wait that began at a moment is too long.
    fn is_too_long(self, since: Instant, now: Instant) -> bool {
        self.calm_since.is_some_and(|calm| calm <= since) && self.is_late(since, now)
    }

    /// Returns whether what follows from a change must have happened. Changes before the time at which
    /// nothing fails count from its beginning.
    pub(super) fn is_late(self, change: Instant, now: Instant) -> bool {
        self.calm_since.is_some_and(|calm| now.saturating_duration_since(calm.max(change)) > LONGEST)
    }
}

impl Auditor {
    /// Records whether nothing fails from now on, and everything that failed before is over.
    pub(crate) fn set_calm(&self, is_calm: bool) {
        self.lock().delays.calm_since = is_calm.then(virtual_now);
    }

    /// Checks a client's wait for something, which began at a moment.
    pub(crate) fn waits(&self, actor: &str, what: impl fmt::Display, since: Instant) {
        let now = virtual_now();
        let delays = self.lock().delays;
        if delays.is_too_long(since, now) {
            let time = now.saturating_duration_since(since);
            self.violation(actor, format_args!("{what} takes {time:?} although nothing fails"));
        }
    }

    /// Checks the time since the commit of an event, for a client that has watched since a moment.
    pub(crate) fn waits_for_event(&self, actor: &str, match_id: MatchId, seq: u64, watches_since: Instant) {
        let committed = self.0.commits.committed_at(match_id, seq);
        if let Some(committed) = committed.filter(|committed| *committed >= watches_since) {
            self.waits(actor, format_args!("event {seq} of {match_id}"), committed);
        }
    }
}

#[cfg(test)]
mod tests;
