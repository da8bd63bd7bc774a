//! The queue of matches that this process must still archive.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::MatchId;
use tokio::sync::Notify;

use crate::Store;

/// The queue of matches that have started or ended in this process and are not archived yet.
/// [`Store::unarchived`] finds matches that are missing in this queue because another process wrote
/// them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArchiveQueue(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    matches: Mutex<BTreeSet<MatchId>>,
    added: Notify,
}

impl ArchiveQueue {
    pub(crate) fn add(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.0.matches.lock().unwrap_or_else(PoisonError::into_inner).extend(matches);
        self.0.added.notify_one();
    }

    /// Removes and returns at most `max` matches.
    fn take(&self, max: usize) -> Vec<MatchId> {
        let mut matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| matches.pop_first()).take(max).collect()
    }
}

impl Store {
    /// Waits until a match is added to the archive queue.
    pub async fn wait_for_archive_queue(&self) {
        self.unarchived.0.added.notified().await;
    }

    /// Removes and returns at most `max` matches from the archive queue. The caller must archive
    /// these matches or put them back with [`requeue_for_archive`](Self::requeue_for_archive).
    #[must_use]
    pub fn take_archive_queue(&self, max: usize) -> Vec<MatchId> {
        self.unarchived.take(max)
    }

    /// Puts matches back into the archive queue.
    pub fn requeue_for_archive(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.unarchived.add(matches);
    }
}
