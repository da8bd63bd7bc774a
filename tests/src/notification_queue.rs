//! The queue of the notifications that wait.

use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_store::Store;
use tokio::time::timeout;

use crate::PATIENCE;

/// The pause before the queue is read again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until this number of notifications is in the queue.
///
/// # Errors
/// If another number waits for too long, or the database cannot be read.
pub async fn until_waiting(store: &Store, count: u64) -> Result<()> {
    let waiting = async {
        while store.waiting_notifications().await?.iter().map(|(_, count)| count).sum::<u64>() != count {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        anyhow::Ok(())
    };
    timeout(PATIENCE, waiting).await.with_context(|| format!("waiting for {count} notifications"))?
}

/// Waits until all notifications are sent or dropped.
///
/// # Errors
/// If some wait for too long, or the database cannot be read.
pub async fn until_none_waits(store: &Store) -> Result<()> {
    until_waiting(store, 0).await
}
