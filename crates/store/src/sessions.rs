//! The tokens that identify users.

use quadrex_protocol::UserId;
use quadrex_protocol::http::TokenScope;
use quadrex_rules::Timestamp;

use super::Store;
use super::accounts::{StoredAccount, hash_column};
use super::database::{Sql, execute, execute_in, fetch_all, fetch_optional};
use super::error::{StoreError, unreadable};
use super::revocations::{Retries, Revocation};
use super::secret_hash::SecretHash;
use super::suspensions::{RawSuspension, UserSuspension};
use super::time_column::TimeColumn;
use super::tokens::read_scopes;
use super::users::{RawUser, User};

/// The way in which a client presents a token: as a cookie or as a bearer token. A token of a
/// cookie is not accepted as a bearer token, and vice versa. So a leaked token is usable for only
/// one kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// A browser's cookie.
    Cookie,
    /// A program's `Authorization` header or `hello` frame.
    Bearer,
}

impl SessionKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Cookie => "cookie",
            Self::Bearer => "bearer",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        match text {
            "cookie" => Ok(Self::Cookie),
            "bearer" => Ok(Self::Bearer),
            other => Err(unreadable("sessions.kind", other)),
        }
    }
}

/// A token that identifies a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The token's hash.
    pub token: SecretHash,
    /// The user that the token identifies.
    pub user: UserId,
    /// The only way in which the token is accepted.
    pub kind: SessionKind,
    /// The time at which the token was created.
    pub created_at: Timestamp,
    /// The time at which the token expires; `None` if it never expires.
    pub expires_at: Option<Timestamp>,
    /// The last time at which the token was used, as far as it was recorded.
    pub seen_at: Option<Timestamp>,
    /// The client that was given the token, such as `Firefox, Linux`, 1 to 60 characters; `None` if
    /// it is unknown.
    pub client: Option<String>,
}

/// The user of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionUser {
    /// The user.
    pub user: User,
    /// See [`Session::seen_at`].
    pub seen_at: Option<Timestamp>,
    /// The time at which the token expires; `None` if it never expires.
    pub expires_at: Option<Timestamp>,
    /// The rights of a token that the user has created for a program; `None` for all rights.
    pub scopes: Option<Vec<TokenScope>>,
    /// The suspension of the user, if the user is suspended.
    pub suspension: Option<UserSuspension>,
}

/// A row of `sessions` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawSession {
    token_hash: Vec<u8>,
    kind: String,
    created_at: TimeColumn,
    expires_at: Option<TimeColumn>,
    seen_at: Option<TimeColumn>,
    client: Option<String>,
}

impl RawSession {
    fn read(self, user: UserId) -> Result<Session, StoreError> {
        let optional = |time: Option<TimeColumn>, column| time.map(|time| time.read(column)).transpose();
        Ok(Session {
            token: read_hash(&self.token_hash, "sessions.token_hash")?,
            user,
            kind: SessionKind::read(&self.kind)?,
            created_at: self.created_at.read("sessions.created_at")?,
            expires_at: optional(self.expires_at, "sessions.expires_at")?,
            seen_at: optional(self.seen_at, "sessions.seen_at")?,
            client: self.client,
        })
    }
}

/// A row of a token with its user.
#[derive(sqlx::FromRow)]
struct RawSessionUser {
    #[sqlx(flatten)]
    user: RawUser,
    seen_at: Option<TimeColumn>,
    expires_at: Option<TimeColumn>,
    scopes: Option<String>,
    #[sqlx(flatten)]
    suspension: RawSuspension,
}

pub(super) fn read_hash(bytes: &[u8], column: &'static str) -> Result<SecretHash, StoreError> {
    let hash = <[u8; 32]>::try_from(bytes);
    hash.map(SecretHash).map_err(|_| unreadable(column, format!("{} bytes", bytes.len())))
}

impl Store {
    /// Adds a new token.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such user.
    pub async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        let sql = Sql {
            postgres:
                "insert into sessions (token_hash, user_id, kind, created_at, expires_at, seen_at, client)
                       values ($1, $2, $3, $4, $5, $6, $7)",
            sqlite: "insert into sessions
                     (token_hash, user_id, kind, created_at_ms, expires_at_ms, seen_at_ms, client)
                     values ($1, $2, $3, $4, $5, $6, $7)",
        };
        let added = execute!(
            self,
            sql,
            session.token.0.as_slice(),
            session.user.0,
            session.kind.as_str(),
            TimeColumn::from(session.created_at),
            session.expires_at.map(TimeColumn::from),
            session.seen_at.map(TimeColumn::from),
            session.client.as_deref(),
        );
        added.map(drop).map_err(StoreError::database("add a session"))
    }

    /// Adds a new token for a user who has signed in with a password. Returns false if the account has
    /// another password by now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn add_account_session(
        &self,
        session: &Session,
        account: &StoredAccount,
    ) -> Result<bool, StoreError> {
        // The lock makes a change of the password wait, so that it ends this session too.
        let sql = Sql {
            postgres:
                "insert into sessions (token_hash, user_id, kind, created_at, expires_at, seen_at, client)
                       select $1, $2, $3, $4, $5, $6, $7 from accounts
                       where user_id = $2 and password_hash = $8 for share",
            sqlite: "insert into sessions
                     (token_hash, user_id, kind, created_at_ms, expires_at_ms, seen_at_ms, client)
                     select $1, $2, $3, $4, $5, $6, $7 from accounts
                     where user_id = $2 and password_hash = $8",
        };
        let added = execute!(
            self,
            sql,
            session.token.0.as_slice(),
            session.user.0,
            session.kind.as_str(),
            TimeColumn::from(session.created_at),
            session.expires_at.map(TimeColumn::from),
            session.seen_at.map(TimeColumn::from),
            session.client.as_deref(),
            hash_column(account.password_hash.as_deref()),
        );
        Ok(added.map_err(StoreError::database("add the session of an account"))? > 0)
    }

    /// Returns the user that a token identifies. Returns `None` if the token is unknown, is not of
    /// the kind `kind`, or has expired at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn session_user(
        &self,
        token: SecretHash,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Option<SessionUser>, StoreError> {
        let sql = Sql {
            postgres: "select users.id, users.name, users.created_at, users.bot::text as bot,
                              exists (select 1 from accounts where user_id = users.id) as account,
                              sessions.seen_at, sessions.expires_at, sessions.scopes,
                              reason, suspended_at, ends_at, suspended_by
                       from sessions join users on users.id = sessions.user_id
                       left join user_suspensions
                         on user_suspensions.user_id = users.id and (ends_at is null or ends_at > $3)
                       where token_hash = $1 and kind = $2 and (expires_at is null or expires_at > $3)
                         and users.deleted_at is null",
            sqlite: "select users.id, users.name, users.created_at_ms as created_at, users.bot,
                            exists (select 1 from accounts where user_id = users.id) as account,
                            sessions.seen_at_ms as seen_at, sessions.expires_at_ms as expires_at,
                            sessions.scopes,
                            reason, suspended_at_ms as suspended_at, ends_at_ms as ends_at, suspended_by
                     from sessions join users on users.id = sessions.user_id
                     left join user_suspensions
                       on user_suspensions.user_id = users.id and (ends_at_ms is null or ends_at_ms > $3)
                     where token_hash = $1 and kind = $2 and (expires_at_ms is null or expires_at_ms > $3)
                       and users.deleted_at_ms is null",
        };
        let (token, now) = (token.0.as_slice(), TimeColumn::from(now));
        let row = fetch_optional!(self, RawSessionUser, sql, token, kind.as_str(), now);
        let Some(row) = row.map_err(StoreError::database("look up a token"))? else { return Ok(None) };
        let seen_at = row.seen_at.map(|time| time.read("sessions.seen_at")).transpose()?;
        let expires_at = row.expires_at.map(|time| time.read("sessions.expires_at")).transpose()?;
        let scopes = row.scopes.as_deref().map(read_scopes).transpose()?;
        let user = row.user.read()?;
        let suspension = row.suspension.read(user.id)?;
        Ok(Some(SessionUser { user, seen_at, expires_at, scopes, suspension }))
    }

    /// Records that a token is used at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record_session_use(&self, token: SecretHash, now: Timestamp) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update sessions set seen_at = $2 where token_hash = $1",
            sqlite: "update sessions set seen_at_ms = $2 where token_hash = $1",
        };
        let recorded = execute!(self, sql, token.0.as_slice(), TimeColumn::from(now));
        recorded.map(drop).map_err(StoreError::database("record the use of a token"))
    }

    /// Returns the sessions of a user that have not expired at `now`, the newest first, at most `max`.
    /// Tokens that the user has created for programs are not among them.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn sessions_of(
        &self,
        user: UserId,
        now: Timestamp,
        max: u16,
    ) -> Result<Vec<Session>, StoreError> {
        let sql = Sql {
            postgres: "select token_hash, kind, created_at, expires_at, seen_at, client from sessions
                       where user_id = $1 and scopes is null and (expires_at is null or expires_at > $2)
                       order by created_at desc, token_hash limit $3",
            sqlite: "select token_hash, kind, created_at_ms as created_at, expires_at_ms as expires_at,
                            seen_at_ms as seen_at, client from sessions
                     where user_id = $1 and scopes is null
                       and (expires_at_ms is null or expires_at_ms > $2)
                     order by created_at_ms desc, token_hash limit $3",
        };
        let rows = fetch_all!(self, RawSession, sql, user.0, TimeColumn::from(now), i64::from(max));
        let rows = rows.map_err(StoreError::database("list the sessions of a user"))?;
        rows.into_iter().map(|row| row.read(user)).collect()
    }

    /// Returns the hashes of all sessions and tokens of a user, expired ones included.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn session_hashes_of(&self, user: UserId) -> Result<Vec<SecretHash>, StoreError> {
        let sql = Sql::both("select token_hash from sessions where user_id = $1");
        let rows = fetch_all!(self, (Vec<u8>,), sql, user.0);
        let rows = rows.map_err(StoreError::database("list the sessions of a user"))?;
        rows.into_iter().map(|(hash,)| read_hash(&hash, "sessions.token_hash")).collect()
    }

    /// Ends these sessions of a user, and records it for all servers on the database. Returns the
    /// sessions that have ended. A session of another user does not end.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The sessions may have ended then.
    pub async fn revoke_sessions(
        &self,
        user: UserId,
        tokens: &[SecretHash],
        now: Timestamp,
    ) -> Result<Vec<SecretHash>, StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_revoke(user, tokens, now).await {
                Err(error) if retries.allow(&error) => {}
                revoked => return revoked.map_err(StoreError::database("end a session")),
            }
        }
    }

    async fn try_to_revoke(
        &self,
        user: UserId,
        tokens: &[SecretHash],
        now: Timestamp,
    ) -> Result<Vec<SecretHash>, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        let mut revoked = Vec::new();
        for token in tokens {
            let sql = Sql::both("delete from sessions where token_hash = $1 and user_id = $2");
            if execute_in!(&mut transaction, sql, token.0.as_slice(), user.0)? > 0 {
                transaction.record_revocation(Revocation::Session(*token), now).await?;
                revoked.push(*token);
            }
        }
        transaction.remove_old_revocations(now).await?;
        transaction.commit().await?;
        Ok(revoked)
    }
}
