//! Requests for tables in a Postgres database.

use quadrex_protocol::{CmdId, UserId};
use quadrex_rules::Timestamp;

use super::tables::insert_table;
use super::{Postgres, datetime};
use crate::request::{RequestColumns, expired_before};
use crate::{MadeTable, NewTable, StoreError, TableRequest};

impl Postgres {
    pub(crate) async fn open_table_once(
        &self,
        new: &NewTable,
        request: &TableRequest,
    ) -> Result<Option<MadeTable>, StoreError> {
        let fault = || StoreError::database("open a table once");
        sqlx::query("delete from table_requests where created_at <= $1")
            .bind(datetime(expired_before(new.at)))
            .execute(&self.pool)
            .await
            .map_err(fault())?;
        let mut transaction = self.pool.begin().await.map_err(fault())?;
        insert_table(&mut transaction, new).await.map_err(fault())?;
        let added = sqlx::query(
            "insert into table_requests (user_id, cmd, request_hash, table_id, match_id, created_at)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (user_id, cmd) do nothing",
        )
        .bind(new.host.0)
        .bind(request.cmd.as_str())
        .bind(request.hash.as_slice())
        .bind(new.table.0)
        .bind(new.match_id.0)
        .bind(datetime(new.at))
        .execute(&mut *transaction)
        .await
        .map_err(fault())?;
        if added.rows_affected() == 1 {
            transaction.commit().await.map_err(fault())?;
            return Ok(None);
        }
        // A request with the same `cmd` came first and is committed.
        let made: RequestColumns = sqlx::query_as(
            "select table_id, match_id, request_hash from table_requests where user_id = $1 and cmd = $2",
        )
        .bind(new.host.0)
        .bind(request.cmd.as_str())
        .fetch_one(&mut *transaction)
        .await
        .map_err(fault())?;
        transaction.rollback().await.map_err(fault())?;
        MadeTable::read(made).map(Some)
    }

    pub(crate) async fn requested_table(
        &self,
        user: UserId,
        cmd: &CmdId,
        now: Timestamp,
    ) -> Result<Option<MadeTable>, StoreError> {
        let made: Option<RequestColumns> = sqlx::query_as(
            "select table_id, match_id, request_hash from table_requests
             where user_id = $1 and cmd = $2 and created_at > $3",
        )
        .bind(user.0)
        .bind(cmd.as_str())
        .bind(datetime(expired_before(now)))
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look up a request for a table"))?;
        made.map(MadeTable::read).transpose()
    }
}
