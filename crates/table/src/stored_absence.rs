//! The copy, beside the log, of a running reconnect bank: a server that is killed gives nothing of it
//! back. Nothing is written on the way of a move.

use std::time::Duration;

use quadrex_protocol::{MatchId, TurnAbsence};
use quadrex_rules::Timestamp;

use crate::state::TableState;

/// Time for which a bank runs before it is stored: about as often as the server gives a sign of life.
/// Shorter absences cost no write.
const STORED_AFTER: Duration = Duration::from_secs(2);

/// The bank of the player to move as the store has it, as far as this table knows.
#[derive(Debug, Default)]
pub struct StoredAbsence {
    stored: Option<(MatchId, TurnAbsence)>,
    retry_at: Option<Timestamp>,
}

impl StoredAbsence {
    /// Returns the time at which the bank is to be stored; `None` if the store has it, or it need not.
    #[must_use]
    pub fn due(&self, state: &TableState) -> Option<Timestamp> {
        let away = state.turn_absence()?;
        let stored = self.stored.filter(|(match_id, _)| *match_id == state.match_id());
        let stored = stored.map(|(_, stored)| stored);
        if stored == Some(away) {
            return None;
        }
        let is_outdated = stored.is_some_and(|stored| stored.basis == away.basis);
        let due = match away.since {
            Some(since) => since + STORED_AFTER,
            None if is_outdated || !away.spent.is_zero() => Timestamp::from_millis(0),
            None => return None,
        };
        Some(self.retry_at.map_or(due, |retry| retry.max(due)))
    }

    /// Returns the bank if it is to be stored by `now`.
    #[must_use]
    pub fn pending(&self, state: &TableState, now: Timestamp) -> Option<TurnAbsence> {
        self.due(state).filter(|due| *due <= now)?;
        state.turn_absence()
    }

    /// Records that the store has this bank of a match.
    pub fn confirm(&mut self, match_id: MatchId, away: TurnAbsence) {
        *self = Self { stored: Some((match_id, away)), retry_at: None };
    }

    /// Records that the store failed: it is tried again at `retry`.
    pub fn postpone(&mut self, retry: Timestamp) {
        self.retry_at = Some(retry);
    }
}
