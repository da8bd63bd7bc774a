//! The interface between the writer and a database.

use std::collections::HashSet;

use quadrex_protocol::MatchId;

use super::encoded_append::EncodedAppend;
use crate::AppendError;

/// A database to which appends are committed.
pub(crate) trait Commit: Clone + Send + Sync + 'static {
    /// Commits plain appends of different matches in one transaction and returns the matches whose
    /// appends passed their guards. The appends of these matches are durable. Nothing was written
    /// for the other matches; [`commit_single`](Self::commit_single) reports the reason.
    fn commit_batch(
        &self,
        entries: &[&EncodedAppend],
    ) -> impl Future<Output = Result<HashSet<MatchId>, Failure>> + Send;

    /// Commits one append of any kind in its own transaction.
    fn commit_single(&self, entry: &EncodedAppend) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// The failure of a transaction.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing was written. If the transaction had several appends, any of them may be the reason.
    Refused(AppendError),
    /// The database could not be reached, so nothing was written. Another attempt would probably
    /// wait as long and fail too.
    Unreachable(sqlx::Error),
    /// The connection broke before the COMMIT was answered, so the outcome is unknown.
    Lost(sqlx::Error),
    /// The database did not answer in time, so the outcome is unknown. Another attempt would
    /// probably wait as long and fail too.
    Silent(sqlx::Error),
}
