//! The lease of a node by its own monotonic clock.

use std::time::Duration;

use quadrex_store::DEAD_AFTER;

/// The time after the sending of a successful renewal at which a node stops to act. Other nodes may
/// declare a node dead [`DEAD_AFTER`] its last renewal, so this time is shorter. The difference
/// covers clocks of different speeds.
pub const FENCE: Duration = Duration::from_millis(1_900);

const _: () = assert!(FENCE.as_millis() * 100 <= DEAD_AFTER.as_millis() * 95, "others would be too early");

/// The time for which a node must have held its lease without interruption before it declares other
/// nodes dead. After an outage of the database, the other nodes thus have time to renew their
/// leases.
pub const STEADY_AFTER: Duration = Duration::from_secs(5);

/// The right of a node to act. All moments are times since the same moment, by the monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeLease {
    /// The moment at which the last successful renewal was sent.
    renewed: Option<Duration>,
    /// The moment since which the lease has been held.
    steady_since: Option<Duration>,
}

impl NodeLease {
    /// Returns whether the node may act.
    #[must_use]
    pub fn is_held(&self, now: Duration) -> bool {
        self.until().is_some_and(|until| now < until)
    }

    /// Returns the moment at which the lease ends, unless it is renewed before.
    #[must_use]
    pub fn until(&self) -> Option<Duration> {
        self.renewed.map(|renewed| renewed + FENCE)
    }

    /// Returns whether the node may declare other nodes dead.
    #[must_use]
    pub fn is_steady(&self, now: Duration) -> bool {
        self.is_held(now) && self.steady_since.is_some_and(|since| now >= since + STEADY_AFTER)
    }

    /// Extends the lease after a renewal, which was sent at the moment `sent`, has succeeded.
    pub(super) fn renew(&mut self, sent: Duration, now: Duration) {
        if !self.is_held(now) {
            self.steady_since = None;
        }
        self.renewed = self.renewed.max(Some(sent));
        self.steady_since = self.steady_since.or(Some(sent));
    }

    /// Records that a renewal has failed.
    pub(super) fn interrupt(&mut self) {
        self.steady_since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_lease_counts_from_the_sending_of_its_renewal() {
        let mut lease = NodeLease::default();
        assert!(!lease.is_held(SECOND));
        lease.renew(SECOND, SECOND * 2);
        assert!(lease.is_held(SECOND + FENCE - Duration::from_millis(1)));
        assert!(!lease.is_held(SECOND + FENCE));
    }

    #[test]
    fn a_lease_is_steady_after_five_seconds_without_interruption() {
        let mut lease = NodeLease::default();
        let renew = |lease: &mut NodeLease, from: u32, to: u32| {
            (from..=to).for_each(|second| lease.renew(SECOND * second, SECOND * second));
        };
        renew(&mut lease, 1, 5);
        assert!(!lease.is_steady(SECOND * 5));
        renew(&mut lease, 6, 6);
        assert!(lease.is_steady(SECOND * 6));
        lease.interrupt();
        assert!(lease.is_held(SECOND * 6) && !lease.is_steady(SECOND * 6));
        renew(&mut lease, 7, 12);
        assert!(lease.is_steady(SECOND * 12));
        assert!(!lease.is_steady(SECOND * 14), "it is over");
        renew(&mut lease, 15, 19);
        assert!(!lease.is_steady(SECOND * 19));
    }
}
