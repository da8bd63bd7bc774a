//! The periodic repair of matches without an actor. It also counts tasks and matches.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use quadrex_protocol::MatchId;
use tokio::runtime::Handle;

use crate::cluster::ClusterLink;
use crate::lobby::Lobby;
use crate::telemetry::metrics::METRICS;
use quadrex_store::Store;
use quadrex_store::error_chain::chain;

/// The time between two scans.
const INTERVAL: Duration = Duration::from_secs(30);

/// The number of scans between two counts of the hibernating matches, of which there may be millions.
const COUNT_INTERVAL: u64 = 10;

/// A periodic scan of the unfinished matches that do not hibernate. Each of them must have an actor,
/// which waits for commands and deadlines. A match has no actor if the actor has panicked, or if the match could not be read
/// when the server started. Without the scan, the deadlines of such a match would not be handled
/// until a client asks for its table.
#[derive(Debug)]
pub struct Reconciler {
    lobby: Lobby,
    store: Store,
    /// The link to the other nodes, if the server belongs to a cluster.
    cluster: Option<ClusterLink>,
    /// The matches without an actor at the last scan, each with the number of consecutive scans in
    /// which the match had no actor.
    unowned: HashMap<MatchId, u32>,
}

/// The counts of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of tasks of the runtime. Some tasks are permanent, and some serve requests to the
    /// store. Each running table has one task, and each connection has a few.
    pub tasks: usize,
    /// The number of matches that are open or running and do not hibernate.
    pub unfinished: usize,
    /// The number of these matches that have no actor.
    pub unowned: usize,
}

impl Reconciler {
    /// Returns a reconciler for the matches in this store. The lobby runs the actors of the
    /// matches.
    #[must_use]
    pub fn new(lobby: Lobby, store: Store) -> Self {
        Self { lobby, store, cluster: None, unowned: HashMap::new() }
    }

    /// Returns the reconciler for a node of a cluster, which scans only the node's own matches.
    #[must_use]
    pub fn in_cluster(self, cluster: Option<ClusterLink>) -> Self {
        Self { cluster, ..self }
    }

    /// Scans at regular intervals, without end.
    pub(super) async fn run(mut self) -> Infallible {
        for scan in 0_u64.. {
            tokio::time::sleep(INTERVAL).await;
            if scan % COUNT_INTERVAL == 0 {
                self.count_hibernating().await;
            }
            if let Some(Count { tasks, unfinished, unowned }) = self.reconcile().await {
                tracing::debug!(tasks, unfinished, unowned, "alive");
            }
        }
        std::future::pending().await
    }

    /// Counts the hibernating matches, for the metrics.
    async fn count_hibernating(&self) {
        match self.store.count_hibernating().await {
            Ok(count) => {
                METRICS.matches.hibernating.set(i64::try_from(count).unwrap_or(i64::MAX));
            }
            Err(error) => tracing::debug!("the hibernating matches are not counted: {}", chain(&error)),
        }
    }

    /// Scans once. Resumes the matches that had no actor in two consecutive scans. One scan is not
    /// enough, because a table that is just being created may have no actor yet. If a match cannot
    /// be resumed, the number of scans until the next attempt doubles each time. Returns `None` if
    /// the store fails.
    pub async fn reconcile(&mut self) -> Option<Count> {
        let tasks = Handle::current().metrics().num_alive_tasks();
        let rows = match self.store.awake().await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::debug!("the unfinished matches are not counted: {}", chain(&error));
                return None;
            }
        };
        // In a cluster, the other nodes run the other matches.
        let own = match &self.cluster {
            Some(cluster) => Some(cluster.owned().await),
            None => None,
        };
        let rows: Vec<_> = rows
            .into_iter()
            .filter(|row| own.as_ref().is_none_or(|own| own.contains(&row.match_id)))
            .collect();
        let mut unowned = HashMap::new();
        for row in &rows {
            if self.lobby.is_claimed(row.table).await.ok()? {
                continue;
            }
            let scans = self.unowned.get(&row.match_id).map_or(1, |scans| scans + 1);
            unowned.insert(row.match_id, scans);
            if scans > 1 && scans.is_power_of_two() {
                METRICS.matches.without_actor.inc();
                tracing::error!(match.id = %row.match_id, table.id = %row.table, "an unfinished match had no actor");
                // The lobby logs a fault if the match cannot be resumed.
                self.lobby.resume(row.table).await.ok();
            }
        }
        self.unowned = unowned;
        Some(Count { tasks, unfinished: rows.len(), unowned: self.unowned.len() })
    }
}
