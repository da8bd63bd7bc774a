//! The reading of a match from the store.

use quadrex_protocol::{MatchId, TableId};
use quadrex_store::{LoggedEvent, Store, StoreError};
use quadrex_table::{CorruptLog, History, NumberedEvent, TableIdentity};

/// The error of a match that cannot be read from the store.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log is corrupt.
    #[error(transparent)]
    CorruptLog(#[from] CorruptLog),
    /// Another node of the cluster owns the match.
    #[error("another server owns the match")]
    OtherOwner,
}

/// Reads a match from its log, without claiming it.
///
/// # Errors
/// Returns [`LoadError`] if the match cannot be read.
pub async fn replay(store: &Store, table: TableId, match_id: MatchId) -> Result<History, LoadError> {
    let (identity, events) = read_log(store, table, match_id).await?;
    Ok(History::replay(identity, events)?)
}

/// Returns the identity and the logged events of a match. [`History::replay`] turns them into the
/// state of the match.
///
/// # Errors
/// Returns [`StoreError`] if the store fails.
pub async fn read_log(
    store: &Store,
    table: TableId,
    match_id: MatchId,
) -> Result<(TableIdentity, Vec<NumberedEvent>), StoreError> {
    let lot_key = store.lot_key(table).await?.expect("a table is never removed");
    let identity = TableIdentity { table, match_id, lot_key };
    let log = store.events(match_id, 0).await?;
    let events =
        log.into_iter().map(|LoggedEvent { seq, at, event, .. }| NumberedEvent { seq, at, event }).collect();
    Ok((identity, events))
}
