//! The starts of actors that are under way.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, Weak};

use quadrex_protocol::TableId;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// The locks of tables whose actors are being started. Requests for the same table start its actor
/// one after the other, so the second one finds the actor of the first one. Clones share the locks.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    locks: Arc<std::sync::Mutex<HashMap<TableId, Weak<Mutex<()>>>>>,
}

impl Starts {
    /// Waits until no other request starts the actor of a table. Others wait until the returned
    /// guard is dropped.
    pub(super) async fn lock(&self, table: TableId) -> OwnedMutexGuard<()> {
        self.lock_of(table).lock_owned().await
    }

    fn lock_of(&self, table: TableId) -> Arc<Mutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&table).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::<Mutex<()>>::default();
        locks.insert(table, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: u128) -> TableId {
        TableId(uuid::Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn only_requests_for_the_same_table_wait_for_each_other() {
        let starts = Starts::default();
        let first = starts.lock(table(1)).await;
        let _other = starts.lock(table(2)).await;
        assert!(starts.lock_of(table(1)).try_lock().is_err());
        drop(first);
        assert!(starts.lock_of(table(1)).try_lock().is_ok());
    }

    #[tokio::test]
    async fn the_locks_of_past_starts_are_removed() {
        let starts = Starts::default();
        for number in 0..10 {
            drop(starts.lock(table(number)).await);
        }
        assert_eq!(starts.locks.lock().unwrap_or_else(PoisonError::into_inner).len(), 1);
    }
}
