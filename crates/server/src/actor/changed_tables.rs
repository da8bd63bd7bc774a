//! The tables that have changed since the lobby read them last.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;
use tokio::sync::Notify;

/// A set of tables, filled by their actors and emptied by the lobby.
#[derive(Debug, Default)]
pub struct ChangedTables {
    tables: Mutex<HashSet<TableId>>,
    marked: Notify,
}

impl ChangedTables {
    /// Adds a table. Never waits.
    pub fn mark(&self, table: TableId) {
        if self.lock().insert(table) {
            self.marked.notify_one();
        }
    }

    /// Removes and returns all of them.
    #[must_use]
    pub fn take(&self) -> HashSet<TableId> {
        std::mem::take(&mut *self.lock())
    }

    /// Waits until a table was added since the last wait.
    pub async fn marked(&self) {
        self.marked.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<TableId>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
