//! The process' own pulse: where it is missing, the process stood still.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use tokio::sync::watch;

/// Time between two beats.
pub(super) const PULSE: Duration = Duration::from_millis(250);

/// A pulse that is missing for longer than this is a standstill. Shorter ones are a machine's everyday delays.
pub const STILL: Duration = Duration::from_secs(2);

/// A time in which the process did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// When it is last known to have run.
    pub since: Timestamp,
    /// When it ran again.
    pub until: Timestamp,
}

/// When the process last ran, and when it stood still.
#[derive(Debug)]
pub(super) struct Pulse {
    /// The last beat, milliseconds since the Unix epoch; 0 while nobody keeps the pulse.
    last_ms: AtomicU64,
    /// Held by who tells of a standstill.
    telling: Mutex<()>,
    pub(super) told: watch::Sender<Option<Standstill>>,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { last_ms: AtomicU64::new(0), telling: Mutex::new(()), told: watch::Sender::new(None) }
    }
}

impl Pulse {
    /// Somebody reads `now`. If the process stood still just before, that is told when this returns, whoever else
    /// noticed it too.
    pub(super) fn feel(&self, now: Timestamp) {
        if self.standstill(now).is_none() {
            return;
        }
        let _telling = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(standstill) = self.standstill(now) {
            self.told.send_replace(Some(standstill));
            self.last_ms.store(now.as_millis(), Ordering::Release);
        }
    }

    /// The process runs at `now`.
    pub(super) fn beat(&self, now: Timestamp) {
        self.feel(now);
        self.last_ms.store(now.as_millis(), Ordering::Release);
    }

    fn standstill(&self, now: Timestamp) -> Option<Standstill> {
        let last_ms = self.last_ms.load(Ordering::Acquire);
        let since = Timestamp::from_millis(last_ms);
        (last_ms > 0 && now.since(since) > STILL).then_some(Standstill { since, until: now })
    }
}

/// Ends the keeping of a pulse when it is dropped: what nobody keeps cannot be missing.
pub(super) struct Stops<'a>(pub(super) &'a Pulse);

impl Drop for Stops<'_> {
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

    /// Whoever reads the time first after a standstill finds it told, once; delays of every day are none.
    #[test]
    fn a_pulse_that_is_missing_is_told_before_the_moment_is_used() {
        let pulse = Pulse::default();
        let mut told = pulse.told.subscribe();
        pulse.feel(at(100_000));
        assert!(!told.has_changed().unwrap(), "nobody keeps the pulse yet");
        pulse.beat(at(100_000));
        pulse.feel(at(102_000));
        pulse.beat(at(102_000));
        assert!(!told.has_changed().unwrap(), "two seconds are no standstill");
        pulse.feel(at(122_500));
        let standstill = Standstill { since: at(102_000), until: at(122_500) };
        assert!(told.has_changed().unwrap());
        assert_eq!(*told.borrow_and_update(), Some(standstill));
        pulse.feel(at(122_600));
        pulse.beat(at(122_600));
        assert!(!told.has_changed().unwrap(), "it is told once");
    }

    #[test]
    fn a_pulse_that_is_no_longer_kept_is_not_missing() {
        let pulse = Pulse::default();
        pulse.beat(at(100_000));
        drop(Stops(&pulse));
        pulse.feel(at(900_000));
        assert_eq!(*pulse.told.borrow(), None);
    }
}
