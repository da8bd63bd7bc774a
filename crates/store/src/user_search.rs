//! The search for users by operators, and the facts that they see about a user.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

use super::Store;
use super::database::{Sql, fetch_all, fetch_optional};
use super::error::StoreError;
use super::suspensions::{RawSuspension, UserSuspension};
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// A user in a list for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundUser {
    /// The user.
    pub user: User,
    /// The suspension of the user, if the user is suspended now.
    pub suspension: Option<UserSuspension>,
}

/// Facts about the sessions and the account of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFacts {
    /// The number of sessions that have not expired.
    pub sessions: u32,
    /// The number of tokens for programs that have not expired.
    pub tokens: u32,
    /// The last recorded use of a session or token that is still there.
    pub seen_at: Option<Timestamp>,
    /// The time at which the account was created; `None` for a guest.
    pub account_created_at: Option<Timestamp>,
}

#[derive(sqlx::FromRow)]
struct RawFoundUser {
    #[sqlx(flatten)]
    user: RawUser,
    #[sqlx(flatten)]
    suspension: RawSuspension,
}

impl RawFoundUser {
    fn read(self) -> Result<FoundUser, StoreError> {
        let user = self.user.read()?;
        let suspension = self.suspension.read(user.id)?;
        Ok(FoundUser { user, suspension })
    }
}

#[derive(sqlx::FromRow)]
struct RawFacts {
    sessions: i64,
    tokens: i64,
    seen_at: Option<TimeColumn>,
    account_created_at: Option<TimeColumn>,
}

impl Store {
    /// Returns the users whose names begin with `prefix`, the newest first, at most `max`. ASCII
    /// letters match in either case.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn users_by_name(
        &self,
        prefix: &str,
        now: Timestamp,
        max: u16,
    ) -> Result<Vec<FoundUser>, StoreError> {
        let sql = Sql {
            postgres: "select users.id, users.name, users.created_at, users.bot::text as bot,
                              exists (select 1 from accounts where user_id = users.id) as account,
                              reason, suspended_at, ends_at, suspended_by
                       from users left join user_suspensions
                         on user_suspensions.user_id = users.id and (ends_at is null or ends_at > $4)
                       where lower(name) collate \"C\" >= lower($1) collate \"C\"
                         and lower(name) collate \"C\" < (lower($1) || $2) collate \"C\"
                       order by users.created_at desc, users.id limit $3",
            sqlite: "select users.id, users.name, users.created_at_ms as created_at, users.bot,
                            exists (select 1 from accounts where user_id = users.id) as account,
                            reason, suspended_at_ms as suspended_at, ends_at_ms as ends_at, suspended_by
                     from users left join user_suspensions
                       on user_suspensions.user_id = users.id and (ends_at_ms is null or ends_at_ms > $4)
                     where lower(name) >= lower($1) and lower(name) < lower($1) || $2
                     order by users.created_at_ms desc, users.id limit $3",
        };
        let (end, now) = (char::MAX.to_string(), TimeColumn::from(now));
        let rows = fetch_all!(self, RawFoundUser, sql, prefix, end.as_str(), i64::from(max), now);
        let rows = rows.map_err(StoreError::database("search for users"))?;
        rows.into_iter().map(RawFoundUser::read).collect()
    }

    /// Returns the users who are suspended at `now`, the last suspended ones first, at most `max`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn suspended_users(&self, now: Timestamp, max: u16) -> Result<Vec<FoundUser>, StoreError> {
        let sql = Sql {
            postgres: "select users.id, users.name, users.created_at, users.bot::text as bot,
                              exists (select 1 from accounts where user_id = users.id) as account,
                              reason, suspended_at, ends_at, suspended_by
                       from user_suspensions join users on users.id = user_suspensions.user_id
                       where ends_at is null or ends_at > $1
                       order by suspended_at desc, users.id limit $2",
            sqlite: "select users.id, users.name, users.created_at_ms as created_at, users.bot,
                            exists (select 1 from accounts where user_id = users.id) as account,
                            reason, suspended_at_ms as suspended_at, ends_at_ms as ends_at, suspended_by
                     from user_suspensions join users on users.id = user_suspensions.user_id
                     where ends_at_ms is null or ends_at_ms > $1
                     order by suspended_at_ms desc, users.id limit $2",
        };
        let rows = fetch_all!(self, RawFoundUser, sql, TimeColumn::from(now), i64::from(max));
        let rows = rows.map_err(StoreError::database("list the suspended users"))?;
        rows.into_iter().map(RawFoundUser::read).collect()
    }

    /// Returns facts about the sessions and the account of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn facts_of(&self, user: UserId, now: Timestamp) -> Result<UserFacts, StoreError> {
        let sql = Sql {
            postgres: "select count(*) filter (where scopes is null) as sessions,
                              count(*) filter (where scopes is not null) as tokens,
                              max(seen_at) as seen_at,
                              (select created_at from accounts where user_id = $1) as account_created_at
                       from sessions where user_id = $1 and (expires_at is null or expires_at > $2)",
            sqlite: "select count(*) filter (where scopes is null) as sessions,
                            count(*) filter (where scopes is not null) as tokens,
                            max(seen_at_ms) as seen_at,
                            (select created_at_ms from accounts where user_id = $1) as account_created_at
                     from sessions where user_id = $1 and (expires_at_ms is null or expires_at_ms > $2)",
        };
        let row = fetch_optional!(self, RawFacts, sql, user.0, TimeColumn::from(now));
        let row = row.map_err(StoreError::database("count the sessions of a user"))?;
        let RawFacts { sessions, tokens, seen_at, account_created_at } =
            row.expect("a count without groups has one row");
        let optional = |time: Option<TimeColumn>, column| time.map(|time| time.read(column)).transpose();
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(UserFacts {
            sessions: count(sessions),
            tokens: count(tokens),
            seen_at: optional(seen_at, "sessions.seen_at")?,
            account_created_at: optional(account_created_at, "accounts.created_at")?,
        })
    }
}
