//! The copy of a running reconnect bank that is stored beside the log. Because of the copy, an absent
//! player regains no time when the server is killed. A move never waits for a write of the copy.

use std::time::Duration;

use quadrex_protocol::{MatchId, TurnAbsence};
use quadrex_rules::Timestamp;

use crate::state::TableState;

/// The time for which a bank runs before it is stored. It is about the interval of the server's
/// heartbeat. Absences that are shorter cause no write.
const STORED_AFTER: Duration = Duration::from_secs(2);

/// The reconnect bank of the player to move, as this table last stored it.
#[derive(Debug, Default)]
pub struct StoredReconnectBank {
    stored: Option<(MatchId, TurnAbsence)>,
    retry_at: Option<Timestamp>,
}

impl StoredReconnectBank {
    /// Returns the time at which the bank is to be stored. Returns `None` if the store is up to date,
    /// or if there is nothing to store.
    #[must_use]
    pub fn due(&self, state: &TableState) -> Option<Timestamp> {
        let away = state.turn_absence()?;
        let stored = self.stored.filter(|(match_id, _)| *match_id == state.match_id());
        let stored = stored.map(|(_, stored)| stored);
        if stored == Some(away) {
            return None;
        }
        let is_outdated = stored.is_some_and(|stored| stored.basis == away.basis);
        let due_at = match away.since {
            Some(since) => since + STORED_AFTER,
            None if is_outdated || !away.spent.is_zero() => Timestamp::from_millis(0),
            None => return None,
        };
        Some(self.retry_at.map_or(due_at, |retry| retry.max(due_at)))
    }

    /// Returns the bank if it is to be stored by `now`.
    #[must_use]
    pub fn pending(&self, state: &TableState, now: Timestamp) -> Option<TurnAbsence> {
        self.due(state).filter(|due| *due <= now)?;
        state.turn_absence()
    }

    /// Records that this bank of a match has been stored.
    pub fn confirm(&mut self, match_id: MatchId, away: TurnAbsence) {
        *self = Self { stored: Some((match_id, away)), retry_at: None };
    }

    /// Records that the store failed. The next attempt is due at `retry`.
    pub fn postpone(&mut self, retry: Timestamp) {
        self.retry_at = Some(retry);
    }
}
