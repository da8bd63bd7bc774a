//! The users who are connected to tables, and the presence that others are shown.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::{TableId, UserId};
use tokio::time::Instant;

use super::Auditor;
use crate::trace::virtual_now;

/// The time after which the server must have noticed that a user is away. It includes the longest time
/// for which faults keep a server from working.
const NOTICED_AFTER: Duration = Duration::from_secs(150);

/// The connections of a user to a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connections {
    count: u32,
    last_change: Instant,
}

/// The connections of all users to tables.
pub(super) type Attendances = BTreeMap<(UserId, TableId), Connections>;

/// The attendance of a user at a table, which ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Attendance {
    auditor: Auditor,
    key: (UserId, TableId),
}

impl Drop for Attendance {
    fn drop(&mut self) {
        if let Some(connections) = self.auditor.lock().attendances.get_mut(&self.key) {
            connections.count -= 1;
            connections.last_change = virtual_now();
        }
    }
}

impl Auditor {
    /// Records that a user connects to a table.
    pub(crate) fn attend(&self, user: UserId, table: TableId) -> Attendance {
        let now = virtual_now();
        let key = (user, table);
        let mut state = self.lock();
        let connections = state.attendances.entry(key).or_insert(Connections { count: 0, last_change: now });
        connections.count += 1;
        connections.last_change = now;
        Attendance { auditor: self.clone(), key }
    }

    /// Checks that a user who is shown as connected to a table is not away for long.
    pub(crate) fn shown_as_connected(&self, actor: &str, user: UserId, table: TableId) {
        let connections = self.lock().attendances.get(&(user, table)).copied();
        let is_away = |connections: &Connections| {
            connections.count == 0 && virtual_now() - connections.last_change > NOTICED_AFTER
        };
        if connections.as_ref().is_some_and(is_away) {
            self.violation(actor, format_args!("{user} is shown as connected, and is away for long"));
        }
    }
}
