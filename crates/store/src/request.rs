//! Requests that made a table and had a `cmd`, stored so that they can be sent again.

use std::time::Duration;

use quadrex_protocol::{CmdId, MatchId, TableId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::error::{StoreError, unreadable};

/// The time for which a request is stored.
const RETENTION: Duration = Duration::from_secs(24 * 3_600);

/// The `cmd` of a request for a table, and a hash of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRequest {
    /// The id that the client chose, unique per user.
    pub cmd: CmdId,
    /// The SHA-256 of the rest of the request, which tells different requests with the same `cmd` apart.
    pub hash: [u8; 32],
}

/// The table that a request got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeTable {
    /// The table.
    pub table: TableId,
    /// Its first match.
    pub match_id: MatchId,
    /// The SHA-256 of the rest of the request.
    pub hash: [u8; 32],
}

/// The columns of [`MadeTable`], in the order of the queries.
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

/// Returns the time up to which requests have expired at `now`.
pub(super) fn expired_before(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis().saturating_sub(RETENTION.as_millis() as u64))
}
