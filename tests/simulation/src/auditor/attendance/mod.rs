//! The users who are connected to tables, and the presence that others are shown.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::time::Instant;

use super::Auditor;
use super::delays::LONGEST;
use crate::network::Network;
use crate::server_time::ServerTime;
use crate::trace::virtual_now;

/// The time after which the server must have noticed that a user is away. It includes the longest time
/// for which faults keep a server from working.
const NOTICED_AFTER: Duration = Duration::from_secs(150);

/// The time after a change of a match's owner in which users may be shown as connected who are not. For
/// the first two seconds the owner may not know better. The rest is for a message that gets lost, and
/// for a slow network.
const TAKEN_OVER: Duration = Duration::from_secs(20);

/// The time within which a server that works notices that a connection has ended.
const END_ARRIVES: Duration = Duration::from_secs(8);

/// The time within which a client whose connection works receives a frame, because it sends pings.
const FRAME_ARRIVES: Duration = Duration::from_secs(20);

/// The time within which a server that works notices that a connection delivers nothing any more.
const SILENCE_NOTICED: Duration = Duration::from_secs(60);

/// The time within which servers that did not reach each other for a while follow tables again.
const FOLLOWED_AGAIN: Duration = Duration::from_secs(15);

/// An open connection of a client.
#[derive(Clone, Debug)]
struct OpenConnection {
    network: Network,
    client: String,
    since: Instant,
}

impl OpenConnection {
    /// Returns whether the connection may deliver nothing any more, although nobody has ended it.
    fn is_silent(&self) -> bool {
        self.network.was_silenced(&self.client, self.since)
    }
}

/// The connections of a user to a table.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    open: Vec<OpenConnection>,
    last_change: Instant,
    /// The moment from which a server that works knows that the ended connections have ended.
    noticed: Timestamp,
    times: AttendanceTimes,
}

/// The times at which a user was at a table, and at which not. At other times the server may see it
/// either way.
#[derive(Clone, Debug, Default)]
pub(super) struct AttendanceTimes {
    pub(super) stays: Vec<(Timestamp, Timestamp)>,
    pub(super) absences: Vec<(Timestamp, Timestamp)>,
}

impl AttendanceTimes {
    /// Returns the times by the time of a server without a cluster.
    pub(super) fn shown_by(&self, time: &ServerTime) -> Self {
        Self { stays: time.intervals(&self.stays), absences: time.intervals(&self.absences) }
    }
}

/// The connections of all users to tables.
pub(super) type Attendances = BTreeMap<(UserId, TableId), Connections>;

/// The attendance of a user at a table, which ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Attendance {
    auditor: Auditor,
    key: (UserId, TableId),
    connection: OpenConnection,
    /// The index of the stay, once the server has answered.
    stay: Option<usize>,
}

impl Attendance {
    /// Records that a frame has arrived. The first one that matters is the answer of the table.
    pub(crate) fn received(&mut self, is_answer: bool) {
        if !is_answer && self.stay.is_none() {
            return;
        }
        let now = self.auditor.0.trace.time_of_day();
        if let Some(connections) = self.auditor.lock().attendances.get_mut(&self.key) {
            let stays = &mut connections.times.stays;
            let index = *self.stay.get_or_insert_with(|| {
                stays.push((now, now));
                stays.len() - 1
            });
            stays[index].1 = now;
        }
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let OpenConnection { client, since, .. } = &self.connection;
        let delay = if self.connection.is_silent() { SILENCE_NOTICED } else { END_ARRIVES };
        let noticed = self.auditor.0.trace.time_of_day() + delay;
        if let Some(connections) = self.auditor.lock().attendances.get_mut(&self.key) {
            let mut open = connections.open.iter();
            if let Some(ended) = open.position(|open| open.client == *client && open.since == *since) {
                connections.open.swap_remove(ended);
            }
            connections.last_change = virtual_now();
            connections.noticed = connections.noticed.max(noticed);
        }
    }
}

impl Connections {
    /// Returns the times until now.
    pub(super) fn times(&self, now: Timestamp) -> AttendanceTimes {
        let mut times = self.times.clone();
        if self.open.is_empty() && self.noticed < now {
            times.absences.push((self.noticed, now));
        }
        times
    }
}

impl Auditor {
    /// Records that a user connects to a table.
    pub(crate) fn attend(&self, user: UserId, table: TableId, network: &Network, client: &str) -> Attendance {
        let (since, now) = (virtual_now(), self.0.trace.time_of_day());
        let key = (user, table);
        let mut state = self.lock();
        let connections = state.attendances.entry(key).or_insert_with(|| Connections {
            open: Vec::new(),
            last_change: since,
            noticed: now,
            times: AttendanceTimes::default(),
        });
        connections.times = connections.times(now);
        let connection = OpenConnection { network: network.clone(), client: client.to_owned(), since };
        connections.open.push(connection.clone());
        connections.last_change = since;
        Attendance { auditor: self.clone(), key, connection, stay: None }
    }

    /// Checks that a user who is shown as connected to a table, in this match, is not away for long, or for
    /// some seconds while nothing fails.
    pub(crate) fn shown_as_connected(&self, actor: &str, user: UserId, table: TableId, match_id: MatchId) {
        let owned_since = self.0.commits.owners(|owners| owners.owned_since(match_id));
        if owned_since.is_some_and(|since| self.0.trace.time_of_day().since(since) < TAKEN_OVER) {
            return;
        }
        let (now, delays) = (self.0.trace.time_of_day(), self.lock().delays);
        let is_away = |connections: &Connections| {
            let is_long_ago = virtual_now() - connections.last_change > NOTICED_AFTER;
            let is_late = delays.is_late(connections.last_change, virtual_now());
            let is_noticed = connections.noticed + LONGEST < now;
            connections.open.is_empty() && (is_long_ago || is_late && is_noticed)
        };
        if self.lock().attendances.get(&(user, table)).is_some_and(is_away) {
            self.violation(actor, format_args!("{user} is shown as connected, and is away for long"));
        }
    }

    /// Records that servers may not reach each other for some time. The owner of a table may then take the
    /// players at another server for away.
    pub(crate) fn separate_servers_for(&self, time: Duration) {
        let until = virtual_now() + time + FOLLOWED_AGAIN;
        let mut state = self.lock();
        state.separated_until = state.separated_until.max(Some(until));
    }

    /// Checks that a user who is shown as away from a table has not been connected for long, or for some
    /// seconds while nothing fails.
    pub(crate) fn shown_as_away(&self, actor: &str, user: UserId, table: TableId) {
        if self.lock().separated_until.is_some_and(|until| virtual_now() < until) {
            return;
        }
        let (now, delays) = (self.0.trace.time_of_day(), self.lock().delays);
        let is_there = |connections: &Connections| {
            let is_alive = |(_, until): &(Timestamp, Timestamp)| now.since(*until) < FRAME_ARRIVES;
            let is_long_ago = virtual_now() - connections.last_change > NOTICED_AFTER;
            connections.open.iter().any(|open| !open.is_silent())
                && (is_long_ago || delays.is_late(connections.last_change, virtual_now()))
                && connections.times.stays.iter().any(is_alive)
        };
        if self.lock().attendances.get(&(user, table)).is_some_and(is_there) {
            self.violation(actor, format_args!("{user} is shown as away, and has been there for long"));
        }
    }
}

#[cfg(test)]
mod tests;
