//! The probes of a connection to a NATS server: messages of a node to itself.
//!
//! The pings of the client are not enough: it sends none while it receives messages, so it does not
//! notice that its own messages are lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_nats::Client;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{InboxSender, LinkEvent};

/// The interval between two probes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The number of probes without an answer after which the connection counts as interrupted.
const MAX_UNANSWERED: u64 = 6;

/// The time for which a busy connection delays a probe.
const SEND_LIMIT: Duration = Duration::from_millis(200);

/// The numbers of the probes of a connection.
#[derive(Debug, Default)]
pub(super) struct Probes {
    /// The number of the last probe.
    sent: AtomicU64,
    /// The greatest number of a probe that has come back.
    received: AtomicU64,
    /// True if too many probes have not come back.
    is_silent: AtomicBool,
}

impl Probes {
    /// Records a probe that has come back. Returns true if the connection was silent before.
    pub(super) fn receive(&self, payload: &[u8]) -> bool {
        let Ok(number) = payload.try_into().map(u64::from_be_bytes) else { return false };
        self.received.fetch_max(number, Ordering::AcqRel);
        self.is_silent.swap(false, Ordering::AcqRel)
    }

    /// Returns the time for which no probe may have come back.
    pub(super) fn silence(&self) -> Duration {
        let unanswered = self.unanswered().min(MAX_UNANSWERED);
        INTERVAL * u32::try_from(unanswered).unwrap_or_default()
    }

    /// Returns the number of the next probe.
    fn next(&self) -> u64 {
        self.sent.fetch_add(1, Ordering::AcqRel) + 1
    }

    fn unanswered(&self) -> u64 {
        self.sent.load(Ordering::Acquire).saturating_sub(self.received.load(Ordering::Acquire))
    }

    /// Returns true if the connection has just become silent.
    fn becomes_silent(&self) -> bool {
        self.unanswered() >= MAX_UNANSWERED && !self.is_silent.swap(true, Ordering::AcqRel)
    }
}

/// Sends probes without end. Connects again when they do not come back.
pub(super) async fn run(client: Client, subject: String, probes: Arc<Probes>, inbox: InboxSender) {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if probes.becomes_silent() {
            inbox.report(LinkEvent::Disconnected { silent_for: probes.silence() });
            // A connection that cannot even pass this order on is found to be broken by the client.
            timeout(SEND_LIMIT, client.force_reconnect()).await.ok();
        }
        let payload = probes.next().to_be_bytes().to_vec();
        timeout(SEND_LIMIT, client.publish(subject.clone(), payload.into())).await.ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_silent_after_six_probes_and_until_one_comes_back() {
        let probes = Probes::default();
        for number in 1..MAX_UNANSWERED {
            assert_eq!(probes.next(), number);
            assert!(!probes.becomes_silent());
        }
        assert_eq!(probes.next(), MAX_UNANSWERED);
        assert!(probes.becomes_silent());
        assert!(!probes.becomes_silent(), "it is reported once");
        assert_eq!(probes.silence(), INTERVAL * 6);
        assert!(!probes.receive(b"garbage"));
        assert!(probes.receive(&MAX_UNANSWERED.to_be_bytes()));
        assert!(!probes.receive(&MAX_UNANSWERED.to_be_bytes()), "it was not silent");
        assert_eq!(probes.silence(), Duration::ZERO);
        assert!(!probes.becomes_silent());
    }
}
