//! The writer's interface to a database, and the failures of a commit.

use std::collections::HashSet;

use quadrex_protocol::MatchId;

use super::entry::Entry;
use crate::AppendError;

/// A database that commits appends.
pub(crate) trait Commit: Clone + Send + Sync + 'static {
    /// Commits plain appends of different matches in one transaction and returns the matches whose
    /// appends passed their guards. Those are durable; of the others nothing was written, and
    /// [`alone`](Self::alone) returns the reason.
    fn together(&self, entries: &[&Entry]) -> impl Future<Output = Result<HashSet<MatchId>, Failure>> + Send;

    /// Commits one append of any kind in a transaction of its own.
    fn alone(&self, entry: &Entry) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// The failure of a transaction.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing was written. Any one of several appends may be the reason.
    Refused(AppendError),
    /// The database could not be reached: nothing was written, and the next append would wait as
    /// long for the same result.
    Unreachable(sqlx::Error),
    /// The connection broke before the COMMIT was answered: the outcome is unknown.
    Lost(sqlx::Error),
    /// The database did not answer in time: the outcome is unknown, and the next append would wait
    /// as long.
    Silent(sqlx::Error),
}
