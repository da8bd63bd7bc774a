//! The activity on the server: the number of connected people, and the number of matches of the
//! last day.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use tokio::sync::Notify;

/// The length of an interval for which starts are counted, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// The number of intervals whose starts are added up.
const HOURS: u64 = 24;

/// The people with open connections.
#[derive(Debug, Default)]
pub(super) struct Online {
    connections: Mutex<HashMap<UserId, usize>>,
    changed: Notify,
}

/// A guard for one connection of a user. When the guard is dropped, the connection no longer
/// counts.
#[derive(Debug)]
pub struct OnlineGuard {
    online: Arc<Online>,
    user: UserId,
}

impl Online {
    /// Counts a connection of a user until the guard is dropped.
    pub(super) fn enter(self: &Arc<Self>, user: UserId) -> OnlineGuard {
        *self.lock().entry(user).or_default() += 1;
        self.changed.notify_one();
        OnlineGuard { online: Arc::clone(self), user }
    }

    /// Returns the number of people with an open connection.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.lock().len()).unwrap_or(u32::MAX)
    }

    /// Returns those of the users who have an open connection.
    pub(super) fn among(&self, users: &[UserId]) -> Vec<UserId> {
        let connections = self.lock();
        users.iter().copied().filter(|user| connections.contains_key(user)).collect()
    }

    /// Waits until a connection has been added or removed since the last wait.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, usize>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OnlineGuard {
    fn drop(&mut self) {
        let mut connections = self.online.lock();
        if let Some(count) = connections.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.user);
            }
        }
        drop(connections);
        self.online.changed.notify_one();
    }
}

/// The numbers of matches that have begun, by the hour.
#[derive(Debug, Default)]
pub(super) struct Starts {
    /// The number for each hour since the Unix epoch.
    by_hour: BTreeMap<u64, u32>,
}

impl Starts {
    /// Adds matches that have begun at this time.
    pub(super) fn add(&mut self, at: Timestamp, count: u32) {
        let starts = self.by_hour.entry(hour_of(at)).or_default();
        *starts = starts.saturating_add(count);
    }

    /// Returns the number of matches that have begun within a day before `now`. Drops the numbers
    /// of earlier hours.
    pub(super) fn count(&mut self, now: Timestamp) -> u32 {
        let first_hour = (hour_of(now) + 1).saturating_sub(HOURS);
        self.by_hour = self.by_hour.split_off(&first_hour);
        self.by_hour.values().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

/// Returns the beginning of the day whose starts are counted at `now`.
pub(super) fn day_before(now: Timestamp) -> Timestamp {
    Timestamp::from_millis((hour_of(now) + 1).saturating_sub(HOURS) * HOUR_MS)
}

fn hour_of(at: Timestamp) -> u64 {
    at.as_millis() / HOUR_MS
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn starts_are_counted_for_a_day() {
        let at = |hour: u64| Timestamp::from_millis(hour * HOUR_MS + 1);
        let mut starts = Starts::default();
        starts.add(at(100), 2);
        starts.add(at(110), 1);
        assert_eq!(starts.count(at(110)), 3);
        assert_eq!(starts.count(at(123)), 3);
        assert_eq!(starts.count(at(124)), 1, "two began more than a day ago");
        assert_eq!(starts.count(at(134)), 0);
        assert!(day_before(at(124)) > at(100) && day_before(at(123)) < at(100));
    }

    #[test]
    fn a_user_with_two_connections_counts_once() {
        let online = Arc::new(Online::default());
        let user = |number| UserId(Uuid::from_u128(number));
        let (first, second, other) = (online.enter(user(1)), online.enter(user(1)), online.enter(user(2)));
        assert_eq!(online.count(), 2);
        drop(first);
        assert_eq!(online.count(), 2);
        drop(second);
        drop(other);
        assert_eq!(online.count(), 0);
    }
}
