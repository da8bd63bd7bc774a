//! The tables whose entries in the lobby have to be updated.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;
use tokio::sync::Notify;

/// A set of tables. An actor adds its table when the table's entry in the lobby has to be updated.
/// The lobby empties the set.
#[derive(Debug, Default)]
pub struct ChangedTables {
    tables: Mutex<HashSet<TableId>>,
    added: Notify,
}

impl ChangedTables {
    /// Adds a table. Never waits.
    pub fn add(&self, table: TableId) {
        if self.lock().insert(table) {
            if quadrex_runtime::has_planted!(LostLobbyWakeUp) {
                return self.added.notify_waiters();
            }
            self.added.notify_one();
        }
    }

    /// Empties the set and returns the tables that were in it.
    #[must_use]
    pub fn take(&self) -> HashSet<TableId> {
        std::mem::take(&mut *self.lock())
    }

    /// Waits until a table is added. Returns at once if a table was added since the last wait.
    pub async fn wait_for_change(&self) {
        self.added.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<TableId>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
