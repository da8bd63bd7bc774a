//! Times in which no server ran a match, or the server could do nothing.

use quadrex_rules::Timestamp;

/// A time for which the players of a match are not charged, because no server ran the match or the
/// server could do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last moment at which the server is known to have run; `None` if it is not known.
    pub last_alive: Option<Timestamp>,
    /// The moment at which a server ran the match again.
    pub back: Timestamp,
    /// The moment at which the clocks run again, after a grace period for the players to reconnect.
    pub resumes: Timestamp,
}

impl Outage {
    /// Returns the last moment at which the server is known to have run. This is at least the time
    /// of the match's last event, `last_event_at`.
    #[must_use]
    pub fn last_alive(&self, last_event_at: Timestamp) -> Timestamp {
        self.last_alive.unwrap_or(last_event_at).min(self.back).max(last_event_at)
    }
}
