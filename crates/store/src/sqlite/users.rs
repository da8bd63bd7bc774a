//! Users and sessions in a SQLite file.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::{Sqlite, millis, moment};
use crate::identity::{bot_text, read_bot};
use crate::{SecretHash, Session, SessionKind, StoreError, User};

impl Sqlite {
    pub(crate) async fn add_user(&self, user: &User) -> Result<(), StoreError> {
        sqlx::query("insert into users (id, name, created_at_ms, bot) values (?1, ?2, ?3, ?4)")
            .bind(user.id.0)
            .bind(&user.name)
            .bind(millis(user.created_at))
            .bind(bot_text(user.bot.as_ref()))
            .execute(&self.writer)
            .await
            .map(drop)
            .map_err(StoreError::database("keep a user"))
    }

    pub(crate) async fn keep_user(&self, user: &User) -> Result<(), StoreError> {
        sqlx::query(
            "insert into users (id, name, created_at_ms, bot) values (?1, ?2, ?3, ?4) on conflict (id) do nothing",
        )
        .bind(user.id.0)
        .bind(&user.name)
        .bind(millis(user.created_at))
        .bind(bot_text(user.bot.as_ref()))
        .execute(&self.writer)
        .await
        .map(drop)
        .map_err(StoreError::database("keep a bot"))
    }

    pub(crate) async fn user(&self, user: UserId) -> Result<Option<User>, StoreError> {
        let row: Option<(String, i64, Option<String>)> =
            sqlx::query_as("select name, created_at_ms, bot from users where id = ?1")
                .bind(user.0)
                .fetch_optional(&self.readers)
                .await
                .map_err(StoreError::database("look up a user"))?;
        row.map(|(name, created_at, bot)| {
            let created_at = moment("users.created_at_ms", created_at)?;
            Ok(User { id: user, name, created_at, bot: read_bot(bot)? })
        })
        .transpose()
    }

    pub(crate) async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        sqlx::query(
            "insert into sessions (token_hash, user_id, kind, created_at_ms, expires_at_ms) values (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(session.token.0.as_slice())
        .bind(session.user.0)
        .bind(session.kind.as_str())
        .bind(millis(session.created_at))
        .bind(session.expires_at.map(millis))
        .execute(&self.writer)
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
        let row: Option<(Uuid, String, i64, Option<String>)> = sqlx::query_as(
            "select users.id, users.name, users.created_at_ms, users.bot
             from sessions join users on users.id = sessions.user_id
             where token_hash = ?1 and kind = ?2 and (expires_at_ms is null or expires_at_ms > ?3)",
        )
        .bind(token.0.as_slice())
        .bind(kind.as_str())
        .bind(millis(now))
        .fetch_optional(&self.readers)
        .await
        .map_err(StoreError::database("look up a token"))?;
        row.map(|(id, name, created_at, bot)| {
            let created_at = moment("users.created_at_ms", created_at)?;
            Ok(User { id: UserId(id), name, created_at, bot: read_bot(bot)? })
        })
        .transpose()
    }
}
