//! Handovers in a SQLite file.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::{Sqlite, millis};
use crate::{Handover, SecretHash, StoreError};

impl Sqlite {
    pub(crate) async fn add_handover(&self, handover: &Handover) -> Result<(), StoreError> {
        let failed = StoreError::database("keep a handover");
        let written = async {
            sqlx::query("delete from handovers where expires_at_ms <= ?1")
                .bind(millis(handover.created_at))
                .execute(&self.writer)
                .await?;
            sqlx::query(
                "insert into handovers (secret_hash, user_id, created_at_ms, expires_at_ms) values (?1, ?2, ?3, ?4)",
            )
            .bind(handover.secret.0.as_slice())
            .bind(handover.user.0)
            .bind(millis(handover.created_at))
            .bind(millis(handover.expires_at))
            .execute(&self.writer)
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
            sqlx::query_scalar("select user_id from handovers where secret_hash = ?1 and expires_at_ms > ?2")
                .bind(secret.0.as_slice())
                .bind(millis(now))
                .fetch_optional(&self.readers)
                .await
                .map_err(StoreError::database("look up a handover"))?;
        Ok(user.map(UserId))
    }

    pub(crate) async fn use_handover(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        // All rows are asked for: who asks for one is given it before the COMMIT, and is not told if that fails.
        let users: Vec<Uuid> = sqlx::query_scalar(
            "delete from handovers where secret_hash = ?1 and expires_at_ms > ?2 returning user_id",
        )
        .bind(secret.0.as_slice())
        .bind(millis(now))
        .fetch_all(&self.writer)
        .await
        .map_err(StoreError::database("use a handover"))?;
        Ok(users.into_iter().next().map(UserId))
    }
}
