//! Detection of periods in which the process did not run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use tokio::sync::watch;

/// The interval between two heartbeats of the process.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// The longest time between two heartbeats that does not count as a stall. Shorter delays are
/// normal.
pub const STALL_LIMIT: Duration = Duration::from_secs(2);

/// A period in which the process did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The last moment at which the process is known to have run.
    pub since: Timestamp,
    /// The moment at which the process ran again.
    pub until: Timestamp,
}

/// The time of the last heartbeat of the process, and the last stall.
#[derive(Debug)]
pub(crate) struct StallDetector {
    /// The time of the last heartbeat, in milliseconds since the Unix epoch; 0 while the detector
    /// is disarmed.
    last_ms: AtomicU64,
    /// Held while a stall is published.
    publishing: Mutex<()>,
    pub(crate) stalls: watch::Sender<Option<Stall>>,
}

impl Default for StallDetector {
    fn default() -> Self {
        Self { last_ms: AtomicU64::new(0), publishing: Mutex::new(()), stalls: watch::Sender::new(None) }
    }
}

impl StallDetector {
    /// Checks for a stall that ended at `now`. When this function returns, such a stall has been
    /// published, by this call or by a concurrent call.
    pub(crate) fn observe(&self, now: Timestamp) {
        if self.stall_until(now).is_none() {
            return;
        }
        let _publishing = self.publishing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stall) = self.stall_until(now) {
            self.stalls.send_replace(Some(stall));
            self.last_ms.store(now.as_millis(), Ordering::Release);
        }
    }

    /// Records a heartbeat at `now`, and arms the detector.
    pub(crate) fn heartbeat(&self, now: Timestamp) {
        self.observe(now);
        self.last_ms.store(now.as_millis(), Ordering::Release);
    }

    fn stall_until(&self, now: Timestamp) -> Option<Stall> {
        let last_ms = self.last_ms.load(Ordering::Acquire);
        let since = Timestamp::from_millis(last_ms);
        (last_ms > 0 && now.since(since) > STALL_LIMIT).then_some(Stall { since, until: now })
    }
}

/// A guard that disarms the detector when it is dropped. A disarmed detector expects no heartbeats.
pub(crate) struct Disarm<'a>(pub(crate) &'a StallDetector);

impl Drop for Disarm<'_> {
    fn drop(&mut self) {
        self.0.last_ms.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    /// Whoever reads the time first after a stall finds the stall published, exactly once. Usual
    /// delays are no stalls.
    #[test]
    fn a_stall_is_published_once_before_the_moment_is_used() {
        let detector = StallDetector::default();
        let mut stalls = detector.stalls.subscribe();
        detector.observe(at(100_000));
        assert!(!stalls.has_changed().unwrap(), "the detector is not armed yet");
        detector.heartbeat(at(100_000));
        detector.observe(at(102_000));
        detector.heartbeat(at(102_000));
        assert!(!stalls.has_changed().unwrap(), "two seconds are no stall");
        detector.observe(at(122_500));
        let stall = Stall { since: at(102_000), until: at(122_500) };
        assert!(stalls.has_changed().unwrap());
        assert_eq!(*stalls.borrow_and_update(), Some(stall));
        detector.observe(at(122_600));
        detector.heartbeat(at(122_600));
        assert!(!stalls.has_changed().unwrap(), "it is published once");
    }

    #[test]
    fn a_disarmed_detector_publishes_no_stall() {
        let detector = StallDetector::default();
        detector.heartbeat(at(100_000));
        drop(Disarm(&detector));
        detector.observe(at(900_000));
        assert_eq!(*detector.stalls.borrow(), None);
    }
}
