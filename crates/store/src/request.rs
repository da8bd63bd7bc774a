//! Requests that made a table and named themselves, kept so that they can be sent again.

use std::time::Duration;

use quadrex_protocol::{CmdId, MatchId, TableId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::error::{StoreError, unreadable};

/// The time for which a request is kept.
const KEPT: Duration = Duration::from_secs(24 * 3_600);

/// The name that a client gave to a request for a table, and what it asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRequest {
    /// The name, unique per user.
    pub cmd: CmdId,
    /// The SHA-256 of what is asked for: another request under the same name is not the same request.
    pub hash: [u8; 32],
}

/// The table that a request was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeTable {
    /// The table.
    pub table: TableId,
    /// Its first match.
    pub match_id: MatchId,
    /// The SHA-256 of what was asked for.
    pub hash: [u8; 32],
}

/// The columns of [`MadeTable`], as they come.
pub(super) type RequestColumns = (Uuid, Uuid, Vec<u8>);

impl MadeTable {
    pub(super) fn read((table, match_id, hash): RequestColumns) -> Result<Self, StoreError> {
        let size = hash.len();
        let hash = hash
            .try_into()
            .map_err(|_| unreadable("table_requests.request_hash", format!("{size} bytes")))?;
        Ok(Self { table: TableId(table), match_id: MatchId(match_id), hash })
    }
}

/// The moment up to which requests are forgotten at `now`.
pub(super) fn forgotten(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis().saturating_sub(KEPT.as_millis() as u64))
}
