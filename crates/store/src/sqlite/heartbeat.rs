//! The server's signs of life in a SQLite file.

use quadrex_rules::Timestamp;

use super::{Sqlite, millis, moment};
use crate::StoreError;

impl Sqlite {
    pub(crate) async fn beat(&self, at: Timestamp) -> Result<(), StoreError> {
        sqlx::query(
            "insert into server_life (id, alive_at_ms) values (1, ?1)
             on conflict (id) do update set alive_at_ms = excluded.alive_at_ms",
        )
        .bind(millis(at))
        .execute(&self.writer)
        .await
        .map(drop)
        .map_err(StoreError::database("keep a sign of life"))
    }

    pub(crate) async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        let row: Option<i64> = sqlx::query_scalar("select alive_at_ms from server_life")
            .fetch_optional(&self.readers)
            .await
            .map_err(StoreError::database("look up the last sign of life"))?;
        row.map(|at| moment("server_life.alive_at_ms", at)).transpose()
    }
}
