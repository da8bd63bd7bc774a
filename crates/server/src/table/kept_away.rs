//! What the store is told, beside the log, of a reconnect bank that runs: so that a server that is killed gives nothing
//! of it back. Nothing is written on the way of a move.

use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;

use super::state::TableState;
use quadrex_store::error_chain::chain;
use quadrex_store::{Store, TurnAway};

/// How long a bank runs before that is kept: about as often as the server gives a sign of life. Shorter absences cost no
/// write.
const KEPT_AFTER: Duration = Duration::from_secs(2);

/// How long it waits before it tries again what the store could not do.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// What the store has of the bank of the player to move, as far as this table knows.
#[derive(Debug, Default)]
pub(super) struct KeptAway {
    kept: Option<(MatchId, TurnAway)>,
    retry_at: Option<Timestamp>,
}

impl KeptAway {
    /// When something is to be kept; `None` if the store has it, or nothing need be kept.
    pub(super) fn due(&self, state: &TableState) -> Option<Timestamp> {
        let away = state.turn_away()?;
        let kept = self.kept.filter(|(match_id, _)| *match_id == state.match_id()).map(|(_, kept)| kept);
        if kept == Some(away) {
            return None;
        }
        let says_otherwise = kept.is_some_and(|kept| kept.basis == away.basis);
        let due = match away.since {
            Some(since) => since + KEPT_AFTER,
            None if says_otherwise || !away.spent.is_zero() => Timestamp::from_millis(0),
            None => return None,
        };
        Some(self.retry_at.map_or(due, |retry| retry.max(due)))
    }

    /// Has kept what is due by now. If the store cannot, it is tried again later.
    pub(super) async fn keep(&mut self, store: &Store, state: &TableState, now: Timestamp) {
        if self.due(state).is_none_or(|due| due > now) {
            return;
        }
        let Some(away) = state.turn_away() else { return };
        match store.set_turn_away(state.match_id(), &away).await {
            Ok(()) => *self = Self { kept: Some((state.match_id(), away)), retry_at: None },
            Err(error) => {
                tracing::debug!(match.id = %state.match_id(), "an absence is not kept yet: {}", chain(&error));
                self.retry_at = Some(now + RETRY_PAUSE);
            }
        }
    }
}
