//! The one place where the server reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use quadrex_rules::Timestamp;

/// A source of moments. Whoever acts reads it once and passes the moment down.
///
/// The system's clock is read at the start; from then on moments go by the monotonic clock, so that a correction of
/// the system's time never moves a player's clock.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System { started: Timestamp, since: Instant },
    Manual(Arc<AtomicU64>),
}

impl Clock {
    /// The real time.
    #[expect(clippy::disallowed_methods, reason = "the one place where the server reads a clock")]
    pub fn system() -> Self {
        let since_epoch = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("the system's clock stands after 1970");
        let started = Timestamp::from_millis(0) + since_epoch;
        Self(Source::System { started, since: Instant::now() })
    }

    /// A clock that stands at `now` until it is moved, for tests. Clones move with it.
    pub fn manual(now: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicU64::new(now.as_millis()))))
    }

    /// This moment.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System { started, since } => *started + since.elapsed(),
            Source::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock on by whole milliseconds.
    ///
    /// # Panics
    /// For the system's clock, which nobody moves.
    pub fn advance(&self, by: Duration) {
        match &self.0 {
            Source::System { .. } => panic!("only a manual clock can be moved"),
            Source::Manual(millis) => {
                let by = u64::try_from(by.as_millis()).expect("tests stay within this age");
                millis.fetch_add(by, Ordering::SeqCst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_with_its_clones_and_only_when_told() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let other = clock.clone();
        assert_eq!(other.now(), Timestamp::from_millis(1_000));
        clock.advance(Duration::from_millis(250));
        assert_eq!(other.now(), Timestamp::from_millis(1_250));
    }

    #[test]
    fn the_system_clock_is_in_this_century_and_never_goes_back() {
        let clock = Clock::system();
        let first = clock.now();
        assert!(first > Timestamp::from_millis(1_700_000_000_000));
        assert!(clock.now() >= first);
    }
}
