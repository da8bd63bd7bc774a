//! Attendance at open tables. Attendance is complete if all seated people would notice the start of
//! a match.

use std::collections::HashMap;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

use crate::actor::TableOverview;

/// The time within which a user who has taken a seat is expected to connect to the table.
const ARRIVAL_TIME: Duration = Duration::from_secs(30);

/// The people who are seated at one table, each with the time since which the person has been
/// seated.
#[derive(Debug, Default)]
pub(super) struct Attendance {
    seated_since: HashMap<UserId, Timestamp>,
}

impl Attendance {
    /// Updates the attendance from the overview of the table at `now`.
    pub(super) fn update(&mut self, table: &TableOverview, now: Timestamp) {
        self.seated_since.retain(|user, _| table.people().any(|seated| seated == *user));
        for user in table.people() {
            self.seated_since.entry(user).or_insert(now);
        }
    }

    /// Returns whether all seated people would notice the start of a match at `now`. A user notices
    /// it if a connection of the user watches the table, or subscribes to the user's own tables
    /// (`follows`). A user who has just taken a seat also counts, because the user's connection is
    /// expected soon.
    pub(super) fn is_complete(
        &self,
        table: &TableOverview,
        now: Timestamp,
        follows: impl Fn(UserId) -> bool,
    ) -> bool {
        let is_new =
            |user: &UserId| self.seated_since.get(user).is_some_and(|since| now.since(*since) < ARRIVAL_TIME);
        let is_expected = |user: &UserId| is_new(user) && !table.arrived.contains(user);
        table.people().all(|user| table.connected.contains(&user) || is_expected(&user) || follows(user))
    }
}
