//! Users and sessions in a Postgres database.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Postgres, datetime, moment};
use crate::identity::{bot_text, read_bot};
use crate::{SecretHash, Session, SessionKind, StoreError, User};

impl Postgres {
    pub(crate) async fn add_user(&self, user: &User) -> Result<(), StoreError> {
        sqlx::query("insert into users (id, name, created_at, bot) values ($1, $2, $3, $4::jsonb)")
            .bind(user.id.0)
            .bind(&user.name)
            .bind(datetime(user.created_at))
            .bind(bot_text(user.bot.as_ref()))
            .execute(&self.pool)
            .await
            .map(drop)
            .map_err(StoreError::database("keep a user"))
    }

    pub(crate) async fn keep_user(&self, user: &User) -> Result<(), StoreError> {
        sqlx::query(
            "insert into users (id, name, created_at, bot) values ($1, $2, $3, $4::jsonb) on conflict (id) do nothing",
        )
        .bind(user.id.0)
        .bind(&user.name)
        .bind(datetime(user.created_at))
        .bind(bot_text(user.bot.as_ref()))
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(StoreError::database("keep a bot"))
    }

    pub(crate) async fn user(&self, user: UserId) -> Result<Option<User>, StoreError> {
        let row: Option<(String, OffsetDateTime, Option<String>)> =
            sqlx::query_as("select name, created_at, bot::text from users where id = $1")
                .bind(user.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::database("look up a user"))?;
        row.map(|(name, created_at, bot)| {
            let created_at = moment("users.created_at", created_at)?;
            Ok(User { id: user, name, created_at, bot: read_bot(bot)? })
        })
        .transpose()
    }

    pub(crate) async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        sqlx::query(
            "insert into sessions (token_hash, user_id, kind, created_at, expires_at) values ($1, $2, $3, $4, $5)",
        )
        .bind(session.token.0.as_slice())
        .bind(session.user.0)
        .bind(session.kind.as_str())
        .bind(datetime(session.created_at))
        .bind(session.expires_at.map(datetime))
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(StoreError::database("keep a session"))
    }

    pub(crate) async fn session_user(
        &self,
        token: SecretHash,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Option<User>, StoreError> {
        let row: Option<(Uuid, String, OffsetDateTime, Option<String>)> = sqlx::query_as(
            "select users.id, users.name, users.created_at, users.bot::text
             from sessions join users on users.id = sessions.user_id
             where token_hash = $1 and kind = $2 and (expires_at is null or expires_at > $3)",
        )
        .bind(token.0.as_slice())
        .bind(kind.as_str())
        .bind(datetime(now))
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look up a token"))?;
        row.map(|(id, name, created_at, bot)| {
            let created_at = moment("users.created_at", created_at)?;
            Ok(User { id: UserId(id), name, created_at, bot: read_bot(bot)? })
        })
        .transpose()
    }
}
