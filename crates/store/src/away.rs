//! What a running match keeps beside its log: for how long the player to move was away on this turn.

use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;

use super::error::unreadable;
use super::{Database, Store, StoreError, on};

/// What the log of a match lacks of the reconnect bank of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnAway {
    /// The event since which the log lacks it; it says nothing once the log has a later one that changes the turn.
    pub basis: u64,
    /// What was spent, in whole milliseconds, without what runs.
    pub spent: Duration,
    /// Since when the bank runs, if it does.
    pub since: Option<Timestamp>,
}

/// The columns of a row, as both databases give them.
pub(super) struct RawAway {
    pub(super) basis: i64,
    pub(super) spent_ms: i64,
    pub(super) since: Option<Timestamp>,
}

impl RawAway {
    pub(super) fn read(self) -> Result<TurnAway, StoreError> {
        let Self { basis, spent_ms, since } = self;
        let basis = u64::try_from(basis).map_err(|_| unreadable("turn_absences.basis", basis))?;
        let spent = u64::try_from(spent_ms).map_err(|_| unreadable("turn_absences.spent_ms", spent_ms))?;
        Ok(TurnAway { basis, spent: Duration::from_millis(spent), since })
    }
}

/// Milliseconds as a column holds them.
pub(super) fn spent_column(spent: Duration) -> i64 {
    i64::try_from(spent.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
    /// Keeps how long the player to move of a match has been away on this turn, over what was kept before. Nothing
    /// changes if that rests on a later event.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such match.
    pub async fn keep_turn_away(&self, match_id: MatchId, away: &TurnAway) -> Result<(), StoreError> {
        on!(self, keep_turn_away(match_id, away))
    }

    /// What was kept last of a match; nothing of most.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn turn_away(&self, match_id: MatchId) -> Result<Option<TurnAway>, StoreError> {
        on!(self, turn_away(match_id))
    }
}
