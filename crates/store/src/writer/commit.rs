//! What a database does for the writer, and how that can end.

use std::collections::HashSet;

use quadrex_protocol::MatchId;

use super::entry::Entry;
use crate::AppendError;

/// A database that commits appends.
pub(crate) trait Commit: Clone + Send + Sync + 'static {
    /// Commits plain appends of different matches in one transaction and tells which matches' passed their guards.
    /// Those are durable; of the others nothing was written, and [`alone`](Self::alone) tells why.
    fn together(&self, entries: &[&Entry]) -> impl Future<Output = Result<HashSet<MatchId>, Failure>> + Send;

    /// Commits one append of any kind in a transaction of its own.
    fn alone(&self, entry: &Entry) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// Why a transaction did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing was written. Of several appends any may be the reason.
    Refused(AppendError),
    /// The database could not be asked: nothing was written, and who asks next would wait for the same.
    Unreachable(sqlx::Error),
    /// The line broke before the COMMIT was answered: the outcome is unknown.
    Lost(sqlx::Error),
    /// The database did not answer in time: the outcome is unknown, and who asks next would wait for the same.
    Silent(sqlx::Error),
}
