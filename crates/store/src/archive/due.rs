//! The matches that this process has yet to archive.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::MatchId;
use tokio::sync::Notify;

use crate::Store;

/// Matches whose phase has changed in this process since they were archived. [`Store::unarchived`]
/// finds the rest: those that another process wrote, or that were lost with one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Due(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    matches: Mutex<BTreeSet<MatchId>>,
    added: Notify,
}

impl Due {
    pub(crate) fn add(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.0.matches.lock().unwrap_or_else(PoisonError::into_inner).extend(matches);
        self.0.added.notify_one();
    }

    /// Removes and returns at most `max` of them.
    fn take(&self, max: usize) -> Vec<MatchId> {
        let mut matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| matches.pop_first()).take(max).collect()
    }
}

impl Store {
    /// Waits until a match has started or ended here since the archive was last brought up to date.
    pub async fn archive_due(&self) {
        self.unarchived.0.added.notified().await;
    }

    /// Removes and returns at most `max` matches that have started or ended here. The caller
    /// archives them, or gives them back.
    #[must_use]
    pub fn take_due(&self, max: usize) -> Vec<MatchId> {
        self.unarchived.take(max)
    }

    /// Gives matches back that are still to be archived.
    pub fn give_back_due(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.unarchived.add(matches);
    }
}
