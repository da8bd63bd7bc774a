//! The tokens that users create for programs. A token is a session with a name and with scopes.

use quadrex_protocol::UserId;
use quadrex_protocol::http::TokenScope;
use quadrex_rules::Timestamp;

use super::Store;
use super::database::{Sql, execute, fetch_all};
use super::error::{StoreError, unreadable};
use super::secret_hash::SecretHash;
use super::sessions::{SessionKind, read_hash};
use super::time_column::TimeColumn;

/// The separator between two scopes in the database.
const SEPARATOR: &str = ",";

/// A token that a user has created for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken {
    /// The token's hash.
    pub token: SecretHash,
    /// The user as whom the program acts.
    pub user: UserId,
    /// The name by which the user recognizes the token, 1 to 60 characters.
    pub name: String,
    /// The rights of the token, at least one.
    pub scopes: Vec<TokenScope>,
    /// The time at which the token was created.
    pub created_at: Timestamp,
    /// The time at which the token expires; `None` if it never expires.
    pub expires_at: Option<Timestamp>,
    /// The last time at which the token was used, as far as it was recorded.
    pub seen_at: Option<Timestamp>,
}

/// A row of a token in `sessions` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawToken {
    token_hash: Vec<u8>,
    client: Option<String>,
    scopes: String,
    created_at: TimeColumn,
    expires_at: Option<TimeColumn>,
    seen_at: Option<TimeColumn>,
}

impl RawToken {
    fn read(self, user: UserId) -> Result<AccessToken, StoreError> {
        let optional = |time: Option<TimeColumn>, column| time.map(|time| time.read(column)).transpose();
        Ok(AccessToken {
            token: read_hash(&self.token_hash, "sessions.token_hash")?,
            user,
            name: self.client.ok_or_else(|| unreadable("sessions.client", "null for a token"))?,
            scopes: read_scopes(&self.scopes)?,
            created_at: self.created_at.read("sessions.created_at")?,
            expires_at: optional(self.expires_at, "sessions.expires_at")?,
            seen_at: optional(self.seen_at, "sessions.seen_at")?,
        })
    }
}

pub(super) fn read_scopes(text: &str) -> Result<Vec<TokenScope>, StoreError> {
    let scope = |name| TokenScope::ALL.into_iter().find(|scope| scope.as_str() == name);
    let scopes =
        text.split(SEPARATOR).map(|name| scope(name).ok_or_else(|| unreadable("sessions.scopes", name)));
    scopes.collect()
}

impl Store {
    /// Adds a token that a user has created for a program.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or a value is invalid.
    pub async fn add_access_token(&self, token: &AccessToken) -> Result<(), StoreError> {
        let sql = Sql {
            postgres:
                "insert into sessions (token_hash, user_id, kind, created_at, expires_at, client, scopes)
                       values ($1, $2, $3, $4, $5, $6, $7)",
            sqlite: "insert into sessions
                     (token_hash, user_id, kind, created_at_ms, expires_at_ms, client, scopes)
                     values ($1, $2, $3, $4, $5, $6, $7)",
        };
        let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.as_str()).collect();
        let added = execute!(
            self,
            sql,
            token.token.0.as_slice(),
            token.user.0,
            SessionKind::Bearer.as_str(),
            TimeColumn::from(token.created_at),
            token.expires_at.map(TimeColumn::from),
            token.name.as_str(),
            scopes.join(SEPARATOR),
        );
        added.map(drop).map_err(StoreError::database("add a token"))
    }

    /// Returns the tokens of a user that have not expired at `now`, the newest first, at most `max`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn access_tokens_of(
        &self,
        user: UserId,
        now: Timestamp,
        max: u16,
    ) -> Result<Vec<AccessToken>, StoreError> {
        let sql = Sql {
            postgres: "select token_hash, client, scopes, created_at, expires_at, seen_at from sessions
                       where user_id = $1 and scopes is not null
                         and (expires_at is null or expires_at > $2)
                       order by created_at desc, token_hash limit $3",
            sqlite: "select token_hash, client, scopes, created_at_ms as created_at,
                            expires_at_ms as expires_at, seen_at_ms as seen_at from sessions
                     where user_id = $1 and scopes is not null
                       and (expires_at_ms is null or expires_at_ms > $2)
                     order by created_at_ms desc, token_hash limit $3",
        };
        let rows = fetch_all!(self, RawToken, sql, user.0, TimeColumn::from(now), i64::from(max));
        let rows = rows.map_err(StoreError::database("list the tokens of a user"))?;
        rows.into_iter().map(|row| row.read(user)).collect()
    }
}
