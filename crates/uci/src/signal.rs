//! What a search is told from outside while it goes on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use quadrex_engine::SearchControl;

/// For one search at a time.
#[derive(Debug, Default)]
pub(super) struct Signal {
    is_stopped: AtomicBool,
    /// While a search ponders no time passes for it.
    ponders: AtomicBool,
    /// From when on time counts, in nanoseconds.
    counted_from_ns: AtomicU64,
}

impl Signal {
    /// For a new search.
    pub(super) fn begin(&self, ponders: bool, now: Duration) {
        self.is_stopped.store(false, Ordering::Relaxed);
        self.counted_from_ns.store(nanoseconds(now), Ordering::Relaxed);
        self.ponders.store(ponders, Ordering::Release);
    }

    /// Ends it.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Lets time pass from now on.
    pub(super) fn hit(&self, now: Duration) {
        self.counted_from_ns.store(nanoseconds(now), Ordering::Relaxed);
        self.ponders.store(false, Ordering::Release);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// What the search itself sees of it.
    pub(super) fn watch<'a, N: Fn() -> Duration + Sync>(&'a self, now: &'a N) -> impl SearchControl + 'a {
        Watched { signal: self, now }
    }
}

/// Five hundred years are enough.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

struct Watched<'a, N> {
    signal: &'a Signal,
    now: &'a N,
}

impl<N: Fn() -> Duration + Sync> SearchControl for Watched<'_, N> {
    fn elapsed(&self) -> Duration {
        if self.signal.ponders.load(Ordering::Acquire) {
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
        let signal = Signal::default();
        let watch = signal.watch(&now);
        signal.begin(false, now());
        time_ms.store(150, Ordering::Relaxed);
        assert_eq!(watch.elapsed(), Duration::from_millis(50));
        signal.begin(true, now());
        time_ms.store(400, Ordering::Relaxed);
        assert_eq!(watch.elapsed(), Duration::ZERO);
        signal.hit(now());
        time_ms.store(430, Ordering::Relaxed);
        assert_eq!(watch.elapsed(), Duration::from_millis(30));
    }

    #[test]
    fn a_new_search_is_not_stopped_by_the_stop_of_the_last() {
        let signal = Signal::default();
        signal.begin(false, Duration::ZERO);
        signal.stop();
        assert!(signal.is_stopped());
        signal.begin(false, Duration::ZERO);
        assert!(!signal.is_stopped());
    }
}
