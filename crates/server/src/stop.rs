//! The stages of the stop of a server.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// The least time after which a client opens its next connection.
const MIN_RETRY_AFTER: Duration = Duration::from_secs(1);

/// The least time for which a client's first connection stays open after the client was to open its
/// next one. In this time it connects and subscribes, or tries again.
const MIN_OVERLAP: Duration = Duration::from_secs(5);

/// A stage of the stop of a server. The stages follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopStage {
    /// The server serves clients. It may already give its tables to other servers.
    Serving,
    /// Other servers own the tables. Clients are asked to connect to them, and are served until
    /// they have.
    Moving(MovePlan),
    /// The server accepts no more connections, and closes the open ones.
    Closing,
}

/// The times at which the clients of a server that stops connect to other servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovePlan {
    /// The time over which the moves of all clients spread.
    pub(crate) spread: Duration,
    /// The moment at which the server closes the connections that are left, by
    /// [`Clock::elapsed`](quadrex_clock::Clock::elapsed).
    pub(crate) closes_at: Duration,
}

/// The times for one connection, relative to the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionMove {
    /// The time until the client opens its next connection.
    pub(crate) retry_after: Duration,
    /// The time for which the present connection stays open.
    pub(crate) open_for: Duration,
}

impl MovePlan {
    /// Returns the times for a connection, with a random number. Returns `None` if there is not
    /// enough time for another connection.
    pub(crate) fn for_connection(self, now: Duration, random: u64) -> Option<ConnectionMove> {
        let open_for = self.closes_at.saturating_sub(now);
        let latest = self.spread.max(MIN_RETRY_AFTER).min(open_for.checked_sub(MIN_OVERLAP)?);
        let range = millis(MIN_RETRY_AFTER)..=millis(latest);
        let retry_after = random_in(range, random)?;
        Some(ConnectionMove { retry_after: Duration::from_millis(retry_after), open_for })
    }
}

/// The number of open WebSockets. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenConnections {
    count: Arc<watch::Sender<usize>>,
}

/// A guard that counts a connection until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    connections: OpenConnections,
}

impl OpenConnections {
    /// Counts a connection until the guard is dropped.
    pub(crate) fn enter(&self) -> OpenConnection {
        self.count.send_modify(|count| *count += 1);
        OpenConnection { connections: self.clone() }
    }

    /// Returns the number of connections.
    pub(crate) fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until there is no connection.
    pub(crate) async fn none(&self) {
        // This value owns the sender, so the channel is not closed.
        self.count.subscribe().wait_for(|count| *count == 0).await.ok();
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.count.send_modify(|count| *count -= 1);
    }
}

/// Returns a number of a range. Returns `None` if the range is empty.
fn random_in(range: RangeInclusive<u64>, random: u64) -> Option<u64> {
    let length = range.end().checked_sub(*range.start())? + 1;
    Some(range.start() + random % length)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Waits until the server closes its connections.
pub(crate) async fn closing(stages: &mut watch::Receiver<StopStage>) {
    // An error means that the server has stopped already.
    stages.wait_for(|stage| *stage == StopStage::Closing).await.ok();
}

/// Waits for the next stage for a connection, which is `Closing` if the connection was already asked
/// to move.
pub(crate) async fn next_stage(stages: &mut watch::Receiver<StopStage>, is_asked_to_move: bool) -> StopStage {
    let is_next = |stage: &StopStage| match stage {
        StopStage::Serving => false,
        StopStage::Moving(_) => !is_asked_to_move,
        StopStage::Closing => true,
    };
    // An error means that the server has stopped already.
    stages.wait_for(is_next).await.map_or(StopStage::Closing, |stage| *stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn connections_move_spread_over_the_time_and_while_the_first_one_is_open() {
        let plan = MovePlan { spread: 20 * SECOND, closes_at: 60 * SECOND };
        let at = |now, random| plan.for_connection(now, random);
        let planned = |retry_ms, open_for| {
            Some(ConnectionMove { retry_after: Duration::from_millis(retry_ms), open_for })
        };
        assert_eq!(at(10 * SECOND, 0), planned(1_000, 50 * SECOND));
        assert_eq!(at(10 * SECOND, 19_000), planned(20_000, 50 * SECOND));
        assert_eq!(at(10 * SECOND, 19_001), planned(1_000, 50 * SECOND));
        for random in [0, 1_999, 54_321, u64::MAX] {
            let late = at(52 * SECOND, random).unwrap();
            assert_eq!(late.open_for, 8 * SECOND);
            assert!((SECOND..=3 * SECOND).contains(&late.retry_after), "{late:?}");
        }
        assert_eq!(at(55 * SECOND, 7), None, "there is no time for another connection");
        assert_eq!(at(61 * SECOND, 7), None);
    }

    #[tokio::test]
    async fn the_last_connection_ends_the_wait() {
        let connections = OpenConnections::default();
        connections.none().await;
        let (first, second) = (connections.enter(), connections.enter());
        drop(first);
        assert_eq!(connections.count(), 1);
        let ending = async { drop(second) };
        tokio::join!(connections.none(), ending);
        assert_eq!(connections.count(), 0);
    }

    #[tokio::test]
    async fn a_connection_that_was_asked_to_move_waits_for_the_end() {
        let plan = MovePlan { spread: SECOND, closes_at: SECOND };
        let (sender, mut stages) = watch::channel(StopStage::Moving(plan));
        assert_eq!(next_stage(&mut stages, false).await, StopStage::Moving(plan));
        let waiting = next_stage(&mut stages, true);
        let ending = async { sender.send_replace(StopStage::Closing) };
        assert_eq!(tokio::join!(waiting, ending).0, StopStage::Closing);
    }
}
