//! The server's signs of life in a Postgres database.

use quadrex_rules::Timestamp;
use time::OffsetDateTime;

use super::{Postgres, datetime, moment};
use crate::StoreError;

impl Postgres {
    pub(crate) async fn beat(&self, at: Timestamp) -> Result<(), StoreError> {
        sqlx::query(
            "insert into server_life (id, alive_at) values (1, $1)
             on conflict (id) do update set alive_at = excluded.alive_at",
        )
        .bind(datetime(at))
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(StoreError::database("keep a sign of life"))
    }

    pub(crate) async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        let row: Option<OffsetDateTime> = sqlx::query_scalar("select alive_at from server_life")
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::database("look up the last sign of life"))?;
        row.map(|at| moment("server_life.alive_at", at)).transpose()
    }
}
