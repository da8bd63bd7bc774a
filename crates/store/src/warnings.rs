//! Warnings of users by operators.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, execute_in, fetch_all};
use super::error::{StoreError, unreadable};
use super::revocations::{Retries, Revocation};
use super::time_column::TimeColumn;

/// A warning of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserWarning {
    /// The number of the warning. A later warning has a greater number.
    pub number: u64,
    /// The text, which the user sees, 1 to 500 characters.
    pub text: String,
    /// The time of the warning.
    pub at: Timestamp,
    /// The operator.
    pub by: UserId,
    /// The time at which the user has confirmed that the text was read; `None` before that.
    pub acknowledged_at: Option<Timestamp>,
}

/// A warning that an operator gives to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewWarning<'a> {
    /// The warned user.
    pub user: UserId,
    /// The text, which the user sees, 1 to 500 characters.
    pub text: &'a str,
    /// The operator.
    pub by: UserId,
    /// The time of the warning.
    pub at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct RawWarning {
    number: i64,
    text: String,
    warned_at: TimeColumn,
    warned_by: Uuid,
    acknowledged_at: Option<TimeColumn>,
}

impl RawWarning {
    fn read(self) -> Result<UserWarning, StoreError> {
        let acknowledged_at = self.acknowledged_at.map(|at| at.read("user_warnings.acknowledged_at"));
        Ok(UserWarning {
            number: u64::try_from(self.number)
                .map_err(|_| unreadable("user_warnings.number", self.number))?,
            text: self.text,
            at: self.warned_at.read("user_warnings.warned_at")?,
            by: UserId(self.warned_by),
            acknowledged_at: acknowledged_at.transpose()?,
        })
    }
}

impl Store {
    /// Adds a warning of a user, and reports it to all servers on the database.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or the text is invalid.
    pub async fn warn_user(&self, warning: &NewWarning<'_>) -> Result<(), StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_warn(warning).await {
                Err(error) if retries.allow(&error) => {}
                warned => return warned.map_err(StoreError::database("warn a user")),
            }
        }
    }

    async fn try_to_warn(&self, warning: &NewWarning<'_>) -> Result<(), sqlx::Error> {
        let NewWarning { user, text, by, at } = *warning;
        let mut transaction = self.database.begin().await?;
        let sql = Sql {
            postgres: "insert into user_warnings (number, user_id, text, warned_at, warned_by)
                       select coalesce(max(number), 0) + 1, $1, $2, $3, $4 from user_warnings",
            sqlite: "insert into user_warnings (number, user_id, text, warned_at_ms, warned_by)
                     select coalesce(max(number), 0) + 1, $1, $2, $3, $4 from user_warnings",
        };
        execute_in!(&mut transaction, sql, user.0, text, TimeColumn::from(at), by.0)?;
        transaction.record_revocation(Revocation::RightsOf(user), at).await?;
        transaction.remove_old_revocations(at).await?;
        transaction.commit().await
    }

    /// Records that a user has read a warning. Returns false if the user has no warning with this
    /// number. A warning that was acknowledged before is not changed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn acknowledge_warning(
        &self,
        user: UserId,
        number: u64,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update user_warnings set acknowledged_at = coalesce(acknowledged_at, $3)
                       where user_id = $1 and number = $2",
            sqlite: "update user_warnings set acknowledged_at_ms = coalesce(acknowledged_at_ms, $3)
                     where user_id = $1 and number = $2",
        };
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let changed = execute!(self, sql, user.0, number, TimeColumn::from(now));
        Ok(changed.map_err(StoreError::database("acknowledge a warning"))? > 0)
    }

    /// Returns the warnings of a user, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn warnings_of(&self, user: UserId) -> Result<Vec<UserWarning>, StoreError> {
        let sql = Sql {
            postgres: "select number, text, warned_at, warned_by, acknowledged_at
                       from user_warnings where user_id = $1 order by number desc",
            sqlite: "select number, text, warned_at_ms as warned_at, warned_by,
                            acknowledged_at_ms as acknowledged_at
                     from user_warnings where user_id = $1 order by number desc",
        };
        let rows = fetch_all!(self, RawWarning, sql, user.0);
        let rows = rows.map_err(StoreError::database("list the warnings of a user"))?;
        rows.into_iter().map(RawWarning::read).collect()
    }
}
