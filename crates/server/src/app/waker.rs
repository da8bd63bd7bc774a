//! The waking of hibernating matches shortly before their deadlines.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use futures_util::StreamExt;
use quadrex_clock::Clock;
use quadrex_protocol::{MatchId, TableId};

use crate::actor::MIN_HIBERNATION;
use crate::lobby::Lobby;
use quadrex_store::error_chain::chain;
use quadrex_store::{NodeId, Store};

/// The time between two scans. A match begins to hibernate only if its deadline is at least
/// [`MIN_HIBERNATION`] away, so at least two scans find the match before its deadline.
const INTERVAL: Duration = Duration::from_secs(10);

/// The time before its deadline at which a match is woken.
const AHEAD: Duration = Duration::from_secs(MIN_HIBERNATION.as_secs() / 2);

/// The largest number of matches that are read from the store at once.
const BATCH: u16 = 500;

/// The number of matches that are woken at the same time.
const WOKEN_AT_ONCE: usize = 8;

/// A periodic scan for hibernating matches whose deadlines come soon. Each of them gets an actor,
/// which runs its timers.
#[derive(Debug)]
pub struct Waker {
    lobby: Lobby,
    store: Store,
    clock: Clock,
    /// The server whose matches are woken; `None` if all matches are.
    owner: Option<NodeId>,
    /// The matches that could not be woken, each with the number of scans since then.
    failures: HashMap<MatchId, u32>,
}

impl Waker {
    /// Returns a waker for the matches in this store, or for those of one server if `owner` is
    /// given.
    #[must_use]
    pub fn new(lobby: Lobby, store: Store, clock: Clock, owner: Option<NodeId>) -> Self {
        Self { lobby, store, clock, owner, failures: HashMap::new() }
    }

    /// Scans at regular intervals, without end.
    pub(super) async fn run(mut self) -> Infallible {
        loop {
            self.wake_due().await;
            self.clock.sleep_until(self.clock.now() + INTERVAL).await;
        }
    }

    /// Scans once, and returns the number of matches that were woken. If a match cannot be woken,
    /// the number of scans until the next attempt doubles each time.
    pub async fn wake_due(&mut self) -> usize {
        let mut woken = 0;
        if quadrex_runtime::has_planted!(MatchNotWoken) {
            return woken;
        }
        for scans in self.failures.values_mut() {
            *scans += 1;
        }
        loop {
            let limit = BATCH.saturating_add(u16::try_from(self.failures.len()).unwrap_or(u16::MAX));
            let until = self.clock.now() + AHEAD;
            let due = match self.store.due_hibernations(until, self.owner, limit).await {
                Ok(due) => due,
                Err(error) => {
                    tracing::debug!("no hibernating match is woken: {}", chain(&error));
                    return woken;
                }
            };
            let is_attempted = |match_id: &MatchId| {
                self.failures.get(match_id).is_none_or(|scans| *scans > 0 && scans.is_power_of_two())
            };
            let due: Vec<_> = due.into_iter().filter(|(_, match_id)| is_attempted(match_id)).collect();
            if due.is_empty() {
                return woken;
            }
            let lobby = &self.lobby;
            let attempts = due.into_iter().map(|(table, match_id)| wake(lobby, table, match_id));
            let attempts = futures_util::stream::iter(attempts).buffer_unordered(WOKEN_AT_ONCE);
            let outcomes: Vec<_> = attempts.collect().await;
            let woken_before = woken;
            for (match_id, is_woken) in outcomes {
                if is_woken {
                    self.failures.remove(&match_id);
                    woken += 1;
                } else {
                    self.failures.entry(match_id).or_default();
                }
            }
            if woken == woken_before {
                return woken;
            }
        }
    }
}

/// Starts the actor of a match, and lets it claim the match, which ends the hibernation.
async fn wake(lobby: &Lobby, table: TableId, match_id: MatchId) -> (MatchId, bool) {
    // The lobby logs a fault if the match cannot be resumed.
    let is_resumed = lobby.resume(table).await.is_ok();
    (match_id, is_resumed && lobby.is_claimed(table).await.unwrap_or(false))
}
