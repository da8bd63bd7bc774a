//! When nobody could move although the server was there: the process stood still, or the store did not answer.

use quadrex_rules::Timestamp;
use tokio::sync::watch;

use crate::clock::{Clock, Standstill};

/// Since when a table is stall. What follows from it is decided when it goes on.
#[derive(Debug)]
pub(super) struct Stall {
    standstills: watch::Receiver<Option<Standstill>>,
    /// The last standstill of the process that was taken up.
    taken: Option<Standstill>,
    since: Option<Timestamp>,
}

impl Stall {
    /// Not stall. What was before does not count.
    pub(super) fn new(clock: &Clock) -> Self {
        let standstills = clock.standstills();
        let taken = *standstills.borrow();
        Self { standstills, taken, since: None }
    }

    /// From `at` on nobody could move, or from an earlier moment.
    pub(super) fn begin(&mut self, at: Timestamp) {
        self.since = Some(self.since.map_or(at, |since| since.min(at)));
    }

    /// Since when nobody could move, if so. Who takes it makes it good.
    pub(super) fn take(&mut self) -> Option<Timestamp> {
        let last = *self.standstills.borrow();
        if let Some(Standstill { since, .. }) = last.filter(|_| last != self.taken) {
            self.taken = last;
            self.begin(since);
        }
        self.since.take()
    }

    /// Waits until the clock has come to `wake`, if ever, or the process stood still.
    pub(super) async fn or_due(&mut self, clock: &Clock, wake: Option<Timestamp>) {
        let wake = async {
            match wake {
                Some(wake) => clock.sleep_until(wake).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = wake => {}
            // The clock, and with it the sender, lives as long as the table.
            _ = self.standstills.changed() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The earliest moment counts, and what was made good is not made good again.
    #[test]
    fn what_is_stuck_is_stuck_since_the_first_moment() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        clock.stand_still(Duration::from_secs(9));
        let mut stall = Stall::new(&clock);
        assert_eq!(stall.take(), None, "before the table was there");
        clock.stand_still(Duration::from_secs(20));
        stall.begin(Timestamp::from_millis(9_000));
        assert_eq!(stall.take(), Some(Timestamp::from_millis(9_000)));
        assert_eq!(stall.take(), None);
        clock.stand_still(Duration::from_secs(5));
        stall.begin(Timestamp::from_millis(34_000));
        assert_eq!(stall.take(), Some(Timestamp::from_millis(30_000)));
    }
}
