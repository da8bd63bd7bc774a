//! Requests that created a table and had a `command_id`. They are stored so that a repeated request
//! returns the same table.

use std::time::Duration;

use quadrex_protocol::{CommandId, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, execute_in, fetch_one_in, fetch_optional};
use super::error::{StoreError, unreadable};
use super::tables::{NewTable, insert_table};
use super::time_column::TimeColumn;

/// The time for which a request is stored.
const RETENTION: Duration = Duration::from_secs(24 * 3_600);

/// The identification of a request that creates a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRequest {
    /// The id that the client chose for the request (`cmd`). It is unique per user.
    pub command_id: CommandId,
    /// The SHA-256 hash of the request without its id. It distinguishes a repeated request from a
    /// different request with the same id.
    pub hash: [u8; 32],
}

/// The table that a stored request created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedTable {
    /// The table.
    pub table: TableId,
    /// The first match of the table.
    pub match_id: MatchId,
    /// The SHA-256 hash of the request without its id.
    pub hash: [u8; 32],
}

/// A row of `table_requests` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawRequest {
    table_id: Uuid,
    match_id: Uuid,
    request_hash: Vec<u8>,
}

impl RawRequest {
    fn read(self) -> Result<RequestedTable, StoreError> {
        let size = self.request_hash.len();
        let hash = self.request_hash.try_into();
        Ok(RequestedTable {
            table: TableId(self.table_id),
            match_id: MatchId(self.match_id),
            hash: hash.map_err(|_| unreadable("table_requests.request_hash", format!("{size} bytes")))?,
        })
    }
}

/// Returns the age limit at `now`: requests that were stored before the returned time have expired.
fn expired_before(now: Timestamp) -> Timestamp {
    now - RETENTION
}

impl Store {
    /// Creates a table like [`open_table`](Self::open_table), for a request with an id. If an
    /// earlier request of this host with the same id created a table, nothing is written, and that
    /// table is returned. If several such requests arrive at the same time, exactly one creates a
    /// table. Requests are stored for a day.
    ///
    /// # Errors
    /// Returns the same errors as [`open_table`](Self::open_table). The caller can look up the
    /// table with [`requested_table`](Self::requested_table).
    pub async fn open_table_once(
        &self,
        table: &NewTable,
        request: &TableRequest,
    ) -> Result<Option<RequestedTable>, StoreError> {
        let failed = || StoreError::database("open a table once");
        let remove_expired = Sql {
            postgres: "delete from table_requests where created_at <= $1",
            sqlite: "delete from table_requests where created_at_ms <= $1",
        };
        execute!(self, remove_expired, TimeColumn::from(expired_before(table.at))).map_err(failed())?;
        let mut transaction = self.database.begin().await.map_err(failed())?;
        insert_table(&mut transaction, table, self.owner).await.map_err(failed())?;
        let insert = Sql {
            postgres:
                "insert into table_requests (user_id, cmd, request_hash, table_id, match_id, created_at)
                       values ($1, $2, $3, $4, $5, $6)
                       on conflict (user_id, cmd) do nothing",
            sqlite:
                "insert into table_requests (user_id, cmd, request_hash, table_id, match_id, created_at_ms)
                     values ($1, $2, $3, $4, $5, $6)
                     on conflict (user_id, cmd) do nothing",
        };
        let added = execute_in!(
            &mut transaction,
            insert,
            table.host.0,
            request.command_id.as_str(),
            request.hash.as_slice(),
            table.table.0,
            table.match_id.0,
            TimeColumn::from(table.at),
        );
        if added.map_err(failed())? == 1 {
            transaction.commit().await.map_err(failed())?;
            self.queue_if_started(table);
            return Ok(None);
        }
        // An earlier request with the same id has been committed.
        let sql = Sql::both(
            "select table_id, match_id, request_hash from table_requests where user_id = $1 and cmd = $2",
        );
        let raw_request =
            fetch_one_in!(&mut transaction, RawRequest, sql, table.host.0, request.command_id.as_str());
        let raw_request = raw_request.map_err(failed())?;
        transaction.roll_back().await.map_err(failed())?;
        raw_request.read().map(Some)
    }

    /// Returns the table that a user's request with this id created, if the request is at most a
    /// day old.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn requested_table(
        &self,
        user: UserId,
        command_id: &CommandId,
        now: Timestamp,
    ) -> Result<Option<RequestedTable>, StoreError> {
        let sql = Sql {
            postgres: "select table_id, match_id, request_hash from table_requests
                       where user_id = $1 and cmd = $2 and created_at > $3",
            sqlite: "select table_id, match_id, request_hash from table_requests
                     where user_id = $1 and cmd = $2 and created_at_ms > $3",
        };
        let after = TimeColumn::from(expired_before(now));
        let row = fetch_optional!(self, RawRequest, sql, user.0, command_id.as_str(), after);
        row.map_err(StoreError::database("look up a request for a table"))?.map(RawRequest::read).transpose()
    }
}
