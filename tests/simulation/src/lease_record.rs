//! The record of the leases of servers in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

/// The record of the times in which servers held their leases. A server that renews its lease in time
/// holds it without interruption.
#[derive(Debug, Default)]
pub(crate) struct LeaseRecord(BTreeMap<String, Vec<(Instant, Instant)>>);

impl LeaseRecord {
    /// Records that a server has renewed its lease, which it holds for this time if it does not renew it
    /// again.
    pub(crate) fn renew(&mut self, server: &str, now: Instant, lease: Duration) {
        let times = self.0.entry(server.to_owned()).or_default();
        match times.last_mut() {
            Some((_, until)) if now <= *until => *until = now + lease,
            _ => times.push((now, now + lease)),
        }
    }

    /// Returns the time for which the lease of a server had been over at this moment. Returns `None` if the
    /// server held it, or if no lease of it is recorded.
    pub(crate) fn expired_for(&self, server: &str, at: Instant) -> Option<Duration> {
        let times = self.0.get(server)?;
        let begun = &times[..times.partition_point(|(since, _)| *since <= at)];
        let (_, until) = begun.last()?;
        (at >= *until).then(|| at - *until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::virtual_now;

    const LEASE: Duration = Duration::from_secs(2);

    #[tokio::test(start_paused = true)]
    async fn a_server_holds_its_lease_until_it_has_not_renewed_it_for_long() {
        let mut record = LeaseRecord::default();
        let begin = virtual_now();
        let second = |number: u32| begin + Duration::from_secs(1) * number;
        for renewed in [1, 2, 4, 7] {
            record.renew("server 1", second(renewed), LEASE);
        }
        let expired_for = |server, number| record.expired_for(server, second(number));
        let held = (0..10).map(|number| expired_for("server 1", number));
        let zero = Some(Duration::ZERO);
        let expected = [None, None, None, None, None, None, zero, None, None, zero];
        assert_eq!(held.collect::<Vec<_>>(), expected);
        assert_eq!(expired_for("server 1", 12), Some(Duration::from_secs(3)));
        assert_eq!(expired_for("server 2", 12), None);
    }
}
