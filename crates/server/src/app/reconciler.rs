//! The periodic repair of matches without an actor, with counts of what is alive.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use quadrex_protocol::MatchId;
use tokio::runtime::Handle;

use crate::lobby::Lobby;
use quadrex_store::Store;
use quadrex_store::error_chain::chain;

/// Time between two scans.
const INTERVAL: Duration = Duration::from_secs(30);

/// A periodic scan of unfinished matches, for as long as a server runs. Every one must have an
/// actor, which knows what it waits for: people, or a moment. A match without one, because its
/// actor panicked or it could not be read at the start, would stall until a client asks for its
/// table.
#[derive(Debug)]
pub struct Reconciler {
    lobby: Lobby,
    store: Store,
    /// Matches without an actor at the last scan, with the number of consecutive scans without one.
    unowned: HashMap<MatchId, u32>,
}

/// The counts of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The tasks of this runtime: some permanent ones and some for requests to the store, one for
    /// each running table, some for each connection.
    pub tasks: usize,
    /// The matches that are open or running.
    pub unfinished: usize,
    /// Those of them without an actor.
    pub unowned: usize,
}

impl Reconciler {
    /// Returns a reconciler of the tables of a lobby with the matches in a store.
    #[must_use]
    pub fn new(lobby: Lobby, store: Store) -> Self {
        Self { lobby, store, unowned: HashMap::new() }
    }

    /// Scans without end.
    pub(super) async fn run(mut self) -> Infallible {
        loop {
            tokio::time::sleep(INTERVAL).await;
            if let Some(Count { tasks, unfinished, unowned }) = self.reconcile().await {
                tracing::debug!(tasks, unfinished, unowned, "alive");
            }
        }
    }

    /// Scans once, and resumes matches that had no actor in two consecutive scans (one scan may
    /// catch a table that is being created). A match that cannot be resumed is tried again after
    /// twice as many scans each time. Returns `None` if the store fails.
    pub async fn reconcile(&mut self) -> Option<Count> {
        let tasks = Handle::current().metrics().num_alive_tasks();
        let rows = match self.store.unfinished().await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::debug!("the unfinished matches are not counted: {}", chain(&error));
                return None;
            }
        };
        let mut unowned = HashMap::new();
        for row in &rows {
            if self.lobby.runs(row.table).await.ok()? {
                continue;
            }
            let scans = self.unowned.get(&row.match_id).map_or(1, |scans| scans + 1);
            unowned.insert(row.match_id, scans);
            if scans > 1 && scans.is_power_of_two() {
                tracing::error!(match.id = %row.match_id, table.id = %row.table, "an unfinished match had no actor");
                // The lobby logs a failure to resume it as a fault of its own.
                self.lobby.resume(row.table).await.ok();
            }
        }
        self.unowned = unowned;
        Some(Count { tasks, unfinished: rows.len(), unowned: self.unowned.len() })
    }
}
