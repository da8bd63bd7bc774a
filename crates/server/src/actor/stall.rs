//! Times in which nobody could move although the server had not ended: the process stalled, or the
//! store did not answer.

use quadrex_clock::{Clock, Stall};
use quadrex_rules::Timestamp;
use tokio::sync::watch;

/// A tracker of the time in which nobody could move at one table, and for which the table's actor
/// has not compensated the players yet.
#[derive(Debug)]
pub(super) struct StallTracker {
    stalls: watch::Receiver<Option<Stall>>,
    /// The last stall of the process that this tracker has taken into account.
    last_seen: Option<Stall>,
    /// The beginning of the stall that the players have not been compensated for yet.
    since: Option<Timestamp>,
}

impl StallTracker {
    /// Returns a tracker without a stall. Stalls of the process before this moment do not count.
    pub(super) fn new(clock: &Clock) -> Self {
        let stalls = clock.stalls();
        let last_seen = *stalls.borrow();
        Self { stalls, last_seen, since: None }
    }

    /// Records that nobody could move from `at` on. If a stall is recorded already, the earlier of
    /// the two beginnings counts.
    pub(super) fn begin(&mut self, at: Timestamp) {
        self.since = Some(self.since.map_or(at, |since| since.min(at)));
    }

    /// Returns the beginning of a stall that was recorded with [`begin`](Self::begin) and has not ended.
    pub(super) fn begun(&self) -> Option<Timestamp> {
        self.since
    }

    /// Ends the stall and returns its beginning. Returns `None` if there was no stall. The caller
    /// compensates the players.
    ///
    /// If the match has an event at the end of a stall of the process or later, this event has
    /// recorded the stall: the match was claimed after a hibernation, during the stall.
    pub(super) fn end(&mut self, last_event_at: Timestamp) -> Option<Timestamp> {
        let last = *self.stalls.borrow();
        if let Some(Stall { since, until }) = last.filter(|_| last != self.last_seen) {
            self.last_seen = last;
            if until > last_event_at {
                self.begin(since);
            }
        }
        self.since.take()
    }

    /// Waits until the time `wake` or until the process has stalled, whichever comes first. If
    /// `wake` is `None`, only a stall ends the wait.
    pub(super) async fn sleep_until(&mut self, clock: &Clock, wake: Option<Timestamp>) {
        let wake = async {
            match wake {
                Some(wake) => clock.sleep_until(wake).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = wake => {}
            // The clock, and with it the sender, lives as long as the table.
            _ = self.stalls.changed() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Overlapping stalls begin at the earliest time, and a compensated stall is not compensated
    /// again.
    #[test]
    fn a_stall_begins_at_its_first_moment_and_ends_once() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        clock.stall(Duration::from_secs(9));
        let mut stall = StallTracker::new(&clock);
        let opened_at = Timestamp::from_millis(1_000);
        assert_eq!(stall.end(opened_at), None, "the stall was before the table existed");
        clock.stall(Duration::from_secs(20));
        stall.begin(Timestamp::from_millis(9_000));
        assert_eq!(stall.begun(), Some(Timestamp::from_millis(9_000)));
        assert_eq!(stall.end(opened_at), Some(Timestamp::from_millis(9_000)));
        assert_eq!((stall.begun(), stall.end(opened_at)), (None, None));
        clock.stall(Duration::from_secs(5));
        stall.begin(Timestamp::from_millis(34_000));
        assert_eq!(stall.end(opened_at), Some(Timestamp::from_millis(30_000)));
    }

    /// A stall that the log of the match has recorded already is not compensated again.
    #[test]
    fn a_recorded_stall_is_not_compensated() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let mut stall = StallTracker::new(&clock);
        clock.stall(Duration::from_secs(5));
        assert_eq!(stall.end(Timestamp::from_millis(6_000)), None);
        assert_eq!(stall.end(Timestamp::from_millis(1_000)), None, "it is over");
        clock.stall(Duration::from_secs(5));
        assert_eq!(stall.end(Timestamp::from_millis(10_999)), Some(Timestamp::from_millis(6_000)));
    }
}
