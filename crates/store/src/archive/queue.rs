//! The queue of matches that must still be archived. It is in memory, and the database has a copy
//! (`archive_queue`) for the case that the process is killed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::MatchId;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::database::{Sql, fetch_all};
use crate::{Store, StoreError};

/// The statement that queues a match because of its new phase, for both databases. It replaces the
/// row of an earlier phase.
pub(crate) const QUEUE_FOR_ARCHIVE: &str = "insert into archive_queue (match_id, phase) values ($1, $2)
     on conflict (match_id) do update set phase = excluded.phase";

/// The queue of matches that have started or ended in this process and are not archived yet.
/// [`Store::load_archive_queue`] adds those of a process that was killed. [`Store::unarchived`]
/// finds matches that an older version of the server wrote, which queues nothing in the database.
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
    /// Adds all matches that are in the queue of the database to the archive queue of this process.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn load_archive_queue(&self) -> Result<(), StoreError> {
        let rows = fetch_all!(self, (Uuid,), Sql::both("select match_id from archive_queue"));
        let rows = rows.map_err(StoreError::database("read the queue of the archive"))?;
        if !rows.is_empty() {
            self.unarchived.add(rows.into_iter().map(|(match_id,)| MatchId(match_id)));
        }
        Ok(())
    }

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
