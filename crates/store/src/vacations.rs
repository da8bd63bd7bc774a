//! The vacations of users, for which their clocks in correspondence matches do not run.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::database::{Sql, execute, fetch_all, fetch_optional};
use super::error::unreadable;
use super::time_column::TimeColumn;
use super::{Store, StoreError};

/// The current or last vacation of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredVacation {
    /// The user.
    pub user: UserId,
    /// The beginning.
    pub since: Timestamp,
    /// The end. It is in the past if the vacation is over.
    pub until: Timestamp,
    /// The year in which the vacation began.
    pub year: u32,
    /// The days of all vacations that began in this year.
    pub used_days: u32,
}

/// A row of `vacations` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawVacation {
    user_id: Uuid,
    started_at: TimeColumn,
    ends_at: TimeColumn,
    year: i64,
    used_days: i64,
}

impl RawVacation {
    fn read(self) -> Result<StoredVacation, StoreError> {
        let number = |what, value: i64| u32::try_from(value).map_err(|_| unreadable(what, value));
        Ok(StoredVacation {
            user: UserId(self.user_id),
            since: self.started_at.read("vacations.started_at")?,
            until: self.ends_at.read("vacations.ends_at")?,
            year: number("vacations.year", self.year)?,
            used_days: number("vacations.used_days", self.used_days)?,
        })
    }
}

impl Store {
    /// Returns the current or last vacation of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn vacation(&self, user: UserId) -> Result<Option<StoredVacation>, StoreError> {
        let sql = Sql {
            postgres: "select user_id, started_at, ends_at, year, used_days from vacations where user_id = $1",
            sqlite: "select user_id, started_at_ms as started_at, ends_at_ms as ends_at, year, used_days
                     from vacations where user_id = $1",
        };
        let row = fetch_optional!(self, RawVacation, sql, user.0);
        row.map_err(StoreError::database("look up a vacation"))?.map(RawVacation::read).transpose()
    }

    /// Returns the vacations of these users that have not ended at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn vacations_of(
        &self,
        users: &[UserId],
        now: Timestamp,
    ) -> Result<Vec<StoredVacation>, StoreError> {
        let ids = serde_json::to_string(users).expect("ids are texts");
        let sql = Sql {
            postgres: "select user_id, started_at, ends_at, year, used_days from vacations
                       where user_id in (select value::uuid from json_array_elements_text($1::json))
                         and ends_at > $2",
            sqlite: "select user_id, started_at_ms as started_at, ends_at_ms as ends_at, year, used_days
                     from vacations
                     where user_id in (select unhex(replace(value, '-', '')) from json_each($1))
                       and ends_at_ms > $2",
        };
        let rows = fetch_all!(self, RawVacation, sql, ids, TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("look up vacations"))?;
        rows.into_iter().map(RawVacation::read).collect()
    }

    /// Stores the vacation of a user in place of `before`, which was read. Returns false and changes
    /// nothing if the user has another vacation than `before` now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or the user does not exist.
    pub async fn replace_vacation(
        &self,
        before: Option<&StoredVacation>,
        vacation: &StoredVacation,
    ) -> Result<bool, StoreError> {
        let StoredVacation { user, since, until, year, used_days } = *vacation;
        let (since, until) = (TimeColumn::from(since), TimeColumn::from(until));
        let (year, used_days) = (i64::from(year), i64::from(used_days));
        let changed = if let Some(before) = before {
            let sql = Sql {
                postgres: "update vacations set started_at = $2, ends_at = $3, year = $4, used_days = $5
                           where user_id = $1 and started_at = $6 and ends_at = $7 and used_days = $8",
                sqlite: "update vacations set started_at_ms = $2, ends_at_ms = $3, year = $4, used_days = $5
                         where user_id = $1 and started_at_ms = $6 and ends_at_ms = $7 and used_days = $8",
            };
            let (old_since, old_until) = (TimeColumn::from(before.since), TimeColumn::from(before.until));
            let old_days = i64::from(before.used_days);
            execute!(self, sql, user.0, since, until, year, used_days, old_since, old_until, old_days)
        } else {
            let sql = Sql {
                postgres: "insert into vacations (user_id, started_at, ends_at, year, used_days)
                           values ($1, $2, $3, $4, $5) on conflict (user_id) do nothing",
                sqlite: "insert into vacations (user_id, started_at_ms, ends_at_ms, year, used_days)
                         values ($1, $2, $3, $4, $5) on conflict (user_id) do nothing",
            };
            execute!(self, sql, user.0, since, until, year, used_days)
        };
        Ok(changed.map_err(StoreError::database("store a vacation"))? > 0)
    }
}
