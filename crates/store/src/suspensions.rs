//! Suspensions of users by operators. A suspended user may read, but change nothing.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute_in, fetch_optional};
use super::error::StoreError;
use super::revocations::{Retries, Revocation};
use super::time_column::TimeColumn;

/// A suspension of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSuspension {
    /// The suspended user.
    pub user: UserId,
    /// The reason, which the user sees, 1 to 500 characters.
    pub reason: String,
    /// The time at which the operator suspended the user.
    pub since: Timestamp,
    /// The end of the suspension; `None` if only an operator can end it.
    pub until: Option<Timestamp>,
    /// The operator.
    pub by: UserId,
}

/// The columns of a suspension in a row that may have none.
#[derive(sqlx::FromRow)]
pub(super) struct RawSuspension {
    reason: Option<String>,
    suspended_at: Option<TimeColumn>,
    ends_at: Option<TimeColumn>,
    suspended_by: Option<Uuid>,
}

impl RawSuspension {
    pub(super) fn read(self, user: UserId) -> Result<Option<UserSuspension>, StoreError> {
        let Self { reason: Some(reason), suspended_at: Some(since), ends_at, suspended_by: Some(by) } = self
        else {
            return Ok(None);
        };
        Ok(Some(UserSuspension {
            user,
            reason,
            since: since.read("user_suspensions.suspended_at")?,
            until: ends_at.map(|time| time.read("user_suspensions.ends_at")).transpose()?,
            by: UserId(by),
        }))
    }
}

impl Store {
    /// Suspends a user, or replaces the suspension of the user. Reports it to all servers on the
    /// database.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or a value is invalid.
    pub async fn suspend(&self, suspension: &UserSuspension) -> Result<(), StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_suspend(suspension).await {
                Err(error) if retries.allow(&error) => {}
                suspended => return suspended.map_err(StoreError::database("suspend a user")),
            }
        }
    }

    async fn try_to_suspend(&self, suspension: &UserSuspension) -> Result<(), sqlx::Error> {
        let UserSuspension { user, reason, since, until, by } = suspension;
        let mut transaction = self.database.begin().await?;
        let sql = Sql {
            postgres: "insert into user_suspensions (user_id, reason, suspended_at, ends_at, suspended_by)
                       values ($1, $2, $3, $4, $5)
                       on conflict (user_id) do update set reason = excluded.reason,
                           suspended_at = excluded.suspended_at, ends_at = excluded.ends_at,
                           suspended_by = excluded.suspended_by",
            sqlite:
                "insert into user_suspensions (user_id, reason, suspended_at_ms, ends_at_ms, suspended_by)
                     values ($1, $2, $3, $4, $5)
                     on conflict (user_id) do update set reason = excluded.reason,
                         suspended_at_ms = excluded.suspended_at_ms, ends_at_ms = excluded.ends_at_ms,
                         suspended_by = excluded.suspended_by",
        };
        let (at, ends_at) = (TimeColumn::from(*since), until.map(TimeColumn::from));
        execute_in!(&mut transaction, sql, user.0, reason.as_str(), at, ends_at, by.0)?;
        transaction.record_revocation(Revocation::RightsOf(*user), *since).await?;
        transaction.remove_old_revocations(*since).await?;
        transaction.commit().await
    }

    /// Ends the suspension of a user, and reports it to all servers on the database. Returns false if
    /// the user was not suspended.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn end_suspension(&self, user: UserId, now: Timestamp) -> Result<bool, StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_end_suspension(user, now).await {
                Err(error) if retries.allow(&error) => {}
                ended => return ended.map_err(StoreError::database("end a suspension")),
            }
        }
    }

    async fn try_to_end_suspension(&self, user: UserId, now: Timestamp) -> Result<bool, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        let sql = Sql {
            postgres: "delete from user_suspensions where user_id = $1 and (ends_at is null or ends_at > $2)",
            sqlite: "delete from user_suspensions where user_id = $1 and (ends_at_ms is null or ends_at_ms > $2)",
        };
        if execute_in!(&mut transaction, sql, user.0, TimeColumn::from(now))? == 0 {
            return Ok(false);
        }
        transaction.record_revocation(Revocation::RightsOf(user), now).await?;
        transaction.remove_old_revocations(now).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Returns the suspension of a user that has not ended at `now`, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn suspension_of(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<UserSuspension>, StoreError> {
        let sql = Sql {
            postgres: "select reason, suspended_at, ends_at, suspended_by from user_suspensions
                       where user_id = $1 and (ends_at is null or ends_at > $2)",
            sqlite: "select reason, suspended_at_ms as suspended_at, ends_at_ms as ends_at, suspended_by
                     from user_suspensions where user_id = $1 and (ends_at_ms is null or ends_at_ms > $2)",
        };
        let row = fetch_optional!(self, RawSuspension, sql, user.0, TimeColumn::from(now));
        match row.map_err(StoreError::database("look up a suspension"))? {
            Some(row) => row.read(user),
            None => Ok(None),
        }
    }
}
