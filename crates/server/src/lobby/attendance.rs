//! Attendance at open tables: the seated people whom the start of a match would reach.

use std::collections::HashMap;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

use crate::actor::TableOverview;

/// The time in which a player who has taken a seat connects to the table.
const ARRIVAL: Duration = Duration::from_secs(30);

/// The times at which the people seated at one table were first seen there.
#[derive(Debug, Default)]
pub(super) struct Attendance(HashMap<UserId, Timestamp>);

impl Attendance {
    /// Updates it from a table at `now`.
    pub(super) fn update(&mut self, table: &TableOverview, now: Timestamp) {
        self.0.retain(|user, _| table.people().any(|seated| seated == *user));
        for user in table.people() {
            self.0.entry(user).or_insert(now);
        }
    }

    /// Returns whether the start of a match at `now` reaches every seated person: each is connected
    /// to the table, or has just sat down and is about to connect, or follows the own tables
    /// elsewhere.
    pub(super) fn is_complete(
        &self,
        table: &TableOverview,
        now: Timestamp,
        follows: impl Fn(UserId) -> bool,
    ) -> bool {
        let is_new = |user: &UserId| self.0.get(user).is_some_and(|since| now.since(*since) < ARRIVAL);
        let is_expected = |user: &UserId| is_new(user) && !table.arrived.contains(user);
        table.people().all(|user| table.connected.contains(&user) || is_expected(&user) || follows(user))
    }
}
