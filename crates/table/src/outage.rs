//! Times in which the server was away.

use quadrex_rules::Timestamp;

/// A time in which the server was away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last moment at which it is known to have run; if unknown, that of the match's last event.
    pub alive: Option<Timestamp>,
    /// The moment at which it was back.
    pub back: Timestamp,
    /// The moment at which clocks run again, after a grace for the players to reconnect.
    pub resumes: Timestamp,
}

impl Outage {
    /// Returns the last moment at which the server is known to have run. `last` is the time of the
    /// match's last event.
    #[must_use]
    pub fn alive(&self, last: Timestamp) -> Timestamp {
        self.alive.unwrap_or(last).min(self.back).max(last)
    }
}
