//! The stop signal and clock of a running search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use quadrex_engine::SearchControl;

/// The signal of the current search. Only one search runs at a time.
#[derive(Debug, Default)]
pub(super) struct StopSignal {
    is_stopped: AtomicBool,
    /// True while the search ponders. Time that passes then is not counted.
    is_pondering: AtomicBool,
    /// The moment from which the search's time is counted, in nanoseconds.
    counted_from_ns: AtomicU64,
}

impl StopSignal {
    /// Resets the signal for a new search.
    pub(super) fn begin(&self, is_pondering: bool, now: Duration) {
        self.is_stopped.store(false, Ordering::Relaxed);
        self.counted_from_ns.store(nanoseconds(now), Ordering::Relaxed);
        self.is_pondering.store(is_pondering, Ordering::Release);
    }

    /// Stops the search.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Ends pondering. The search's time is counted from `now`.
    pub(super) fn ponder_hit(&self, now: Duration) {
        self.counted_from_ns.store(nanoseconds(now), Ordering::Relaxed);
        self.is_pondering.store(false, Ordering::Release);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns the search's view of the signal.
    pub(super) fn control<'a, N: Fn() -> Duration + Sync>(&'a self, now: &'a N) -> impl SearchControl + 'a {
        SignalControl { signal: self, now }
    }
}

/// Returns a duration in nanoseconds, at most `u64::MAX`, which is more than five hundred years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

struct SignalControl<'a, N> {
    signal: &'a StopSignal,
    now: &'a N,
}

impl<N: Fn() -> Duration + Sync> SearchControl for SignalControl<'_, N> {
    fn elapsed(&self) -> Duration {
        if self.signal.is_pondering.load(Ordering::Acquire) {
            return Duration::ZERO;
        }
        let from = Duration::from_nanos(self.signal.counted_from_ns.load(Ordering::Relaxed));
        (self.now)().saturating_sub(from)
    }

    fn is_stopped(&self) -> bool {
        self.signal.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_from_the_beginning_or_from_the_hit() {
        let time_ms = AtomicU64::new(100);
        let now = || Duration::from_millis(time_ms.load(Ordering::Relaxed));
        let signal = StopSignal::default();
        let control = signal.control(&now);
        signal.begin(false, now());
        time_ms.store(150, Ordering::Relaxed);
        assert_eq!(control.elapsed(), Duration::from_millis(50));
        signal.begin(true, now());
        time_ms.store(400, Ordering::Relaxed);
        assert_eq!(control.elapsed(), Duration::ZERO);
        signal.ponder_hit(now());
        time_ms.store(430, Ordering::Relaxed);
        assert_eq!(control.elapsed(), Duration::from_millis(30));
    }

    #[test]
    fn a_new_search_is_not_stopped_by_the_stop_of_the_last() {
        let signal = StopSignal::default();
        signal.begin(false, Duration::ZERO);
        signal.stop();
        assert!(signal.is_stopped());
        signal.begin(false, Duration::ZERO);
        assert!(!signal.is_stopped());
    }
}
