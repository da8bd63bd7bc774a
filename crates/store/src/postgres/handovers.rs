//! Handovers in a Postgres database.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::{Postgres, datetime};
use crate::{Handover, SecretHash, StoreError};

impl Postgres {
    pub(crate) async fn add_handover(&self, handover: &Handover) -> Result<(), StoreError> {
        let failed = StoreError::database("keep a handover");
        let written = async {
            sqlx::query("delete from handovers where expires_at <= $1")
                .bind(datetime(handover.created_at))
                .execute(&self.pool)
                .await?;
            sqlx::query(
                "insert into handovers (secret_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)",
            )
            .bind(handover.secret.0.as_slice())
            .bind(handover.user.0)
            .bind(datetime(handover.created_at))
            .bind(datetime(handover.expires_at))
            .execute(&self.pool)
            .await
        };
        written.await.map(drop).map_err(failed)
    }

    pub(crate) async fn handover_user(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        let user: Option<Uuid> =
            sqlx::query_scalar("select user_id from handovers where secret_hash = $1 and expires_at > $2")
                .bind(secret.0.as_slice())
                .bind(datetime(now))
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::database("look up a handover"))?;
        Ok(user.map(UserId))
    }

    pub(crate) async fn use_handover(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        let user: Option<Uuid> = sqlx::query_scalar(
            "delete from handovers where secret_hash = $1 and expires_at > $2 returning user_id",
        )
        .bind(secret.0.as_slice())
        .bind(datetime(now))
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("use a handover"))?;
        Ok(user.map(UserId))
    }
}
