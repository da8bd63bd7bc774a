//! What is alive, counted again and again; and the matches that nobody runs, taken up.

use std::collections::HashMap;
use std::time::Duration;

use quadrex_protocol::MatchId;
use tokio::runtime::Handle;

use crate::lobby::Lobby;
use quadrex_store::Store;
use quadrex_store::error_chain::chain;

/// Time between two counts.
const PAUSE: Duration = Duration::from_secs(30);

/// Counts, for as long as a server runs. Every unfinished match must have an actor, which knows what it waits for: people,
/// or a moment. One that has none, because its actor broke or it could not be read at the start, would stand still until
/// somebody asks for its table.
#[derive(Debug)]
pub struct Reconciler {
    lobby: Lobby,
    store: Store,
    /// Matches that nobody ran when they were looked at last, and how often in a row that was so.
    unowned: HashMap<MatchId, u32>,
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Tasks of this runtime: some that are always there or come and go with questions to the store, one for each table
    /// that runs, some for each line.
    pub tasks: usize,
    /// Matches that are open or running.
    pub unfinished: usize,
    /// Those of them that nobody ran.
    pub unowned: usize,
}

impl Reconciler {
    /// Of the tables of a lobby, and of the matches in a store.
    #[must_use]
    pub fn new(lobby: Lobby, store: Store) -> Self {
        Self { lobby, store, unowned: HashMap::new() }
    }

    /// Counts without end.
    pub(super) async fn go_on(mut self) {
        loop {
            tokio::time::sleep(PAUSE).await;
            if let Some(Count { tasks, unfinished, unowned }) = self.take().await {
                tracing::debug!(tasks, unfinished, unowned, "alive");
            }
        }
    }

    /// Counts once, and takes up what nobody ran the last time either: a table that is just being made is none of those.
    /// What cannot be taken up is tried again after twice as many counts each time. Nothing if the store does not answer.
    pub async fn take(&mut self) -> Option<Count> {
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
            let times = self.unowned.get(&row.match_id).map_or(1, |times| times + 1);
            unowned.insert(row.match_id, times);
            if times > 1 && times.is_power_of_two() {
                tracing::error!(match.id = %row.match_id, table.id = %row.table, "nobody ran an unfinished match");
                // Why it cannot be taken up stands in the log as a fault of its own.
                self.lobby.take_up(row.table).await.ok();
            }
        }
        self.unowned = unowned;
        Some(Count { tasks, unfinished: rows.len(), unowned: self.unowned.len() })
    }
}
