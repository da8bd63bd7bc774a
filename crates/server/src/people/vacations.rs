//! Vacations: days on which the clocks of a user in correspondence matches do not run.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::http::{Vacation, VacationStatus};
use quadrex_rules::Timestamp;
use quadrex_store::{Store, StoreError, StoredVacation};
use time::OffsetDateTime;

const DAY: Duration = Duration::from_secs(86_400);

/// The outcome of a change of a vacation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VacationChange {
    /// The vacation has begun or ended.
    Changed,
    /// The user is on vacation already.
    Already,
    /// The user is not on vacation.
    None,
    /// The user does not have so many days left, but only these.
    Range(u32),
}

/// The vacations of users. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Vacations {
    store: Store,
    days_per_year: u32,
}

impl Vacations {
    /// Returns the vacations in a store. Each user has this number of days a year.
    #[must_use]
    pub(crate) fn new(store: Store, days_per_year: u32) -> Self {
        Self { store, days_per_year }
    }

    /// Returns the vacation of a user and the days that are left.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub(crate) async fn status(&self, user: UserId, now: Timestamp) -> Result<VacationStatus, StoreError> {
        let last = self.store.vacation(user).await?;
        let current = last.filter(|vacation| vacation.until > now);
        Ok(VacationStatus {
            days_per_year: self.days_per_year,
            days_left: self.days_left(last.as_ref(), now),
            current: current.map(|vacation| Vacation {
                since_ms: vacation.since.as_millis(),
                until_ms: vacation.until.as_millis(),
            }),
        })
    }

    /// Begins a vacation of some days, or of all days that the user has left this year.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub(crate) async fn begin(
        &self,
        user: UserId,
        days: Option<u32>,
        now: Timestamp,
    ) -> Result<VacationChange, StoreError> {
        let last = self.store.vacation(user).await?;
        if last.is_some_and(|vacation| vacation.until > now) {
            return Ok(VacationChange::Already);
        }
        let left = self.days_left(last.as_ref(), now);
        let days = days.unwrap_or(left);
        if !(1..=left).contains(&days) {
            return Ok(VacationChange::Range(left));
        }
        let until = now + DAY * days;
        let used_days = self.days_per_year - left + days;
        let vacation = StoredVacation { user, since: now, until, year: year(now), used_days };
        let began = self.store.replace_vacation(last.as_ref(), &vacation).await?;
        Ok(if began { VacationChange::Changed } else { VacationChange::Already })
    }

    /// Ends the vacation of a user. The days that it has begun are used, at least one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub(crate) async fn end(&self, user: UserId, now: Timestamp) -> Result<VacationChange, StoreError> {
        let last = self.store.vacation(user).await?;
        let Some(current) = last.filter(|vacation| vacation.until > now) else {
            return Ok(VacationChange::None);
        };
        let until = now.max(current.since);
        let unused = days(current.until.since(current.since)) - days(until.since(current.since));
        let used_days = current.used_days - unused;
        let ended = StoredVacation { until, used_days, ..current };
        let has_ended = self.store.replace_vacation(Some(&current), &ended).await?;
        Ok(if has_ended { VacationChange::Changed } else { VacationChange::None })
    }

    /// Returns the days that a user has left in the year of `now`.
    fn days_left(&self, last: Option<&StoredVacation>, now: Timestamp) -> u32 {
        let used = last.filter(|last| last.year == year(now)).map_or(0, |last| last.used_days);
        self.days_per_year.saturating_sub(used)
    }
}

/// Returns the number of days that have begun in a time, at least one.
fn days(time: Duration) -> u32 {
    u32::try_from(time.as_secs().div_ceil(DAY.as_secs())).unwrap_or(u32::MAX).max(1)
}

/// Returns the year of a time, in UTC.
fn year(at: Timestamp) -> u32 {
    let seconds = i64::try_from(at.as_millis() / 1_000).unwrap_or(i64::MAX);
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    u32::try_from(time.year()).unwrap_or(1970)
}
