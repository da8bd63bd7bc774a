//! The one place where the server reads a clock.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use quadrex_rules::Timestamp;
use tokio::sync::watch;

mod pulse;

use pulse::{PULSE, Pulse, Stops};
pub use pulse::{STILL, Standstill};

/// A source of moments. Whoever acts reads it once and passes the moment down.
///
/// The system's clock is read at the start; from then on moments go by the monotonic clock, so that a correction of
/// the system's time never moves a player's clock. While somebody [keeps the pulse](Self::keep_pulse) it notices when
/// the process [stood still](Self::standstills): whoever reads a moment after that finds it told already.
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
    pulse: Arc<Pulse>,
}

#[derive(Clone, Debug)]
enum Source {
    System { started: Timestamp, since: Instant },
    Skipping { started: Timestamp, since: Instant, ahead: watch::Sender<Duration> },
    Manual(watch::Sender<Timestamp>),
}

impl Clock {
    /// The real time.
    pub fn system() -> Self {
        let (started, since) = read();
        Self::of(Source::System { started, since })
    }

    /// The real time, which can be made to jump ahead, for tests. Clones jump with it.
    pub fn skipping() -> Self {
        let (started, since) = read();
        Self::of(Source::Skipping { started, since, ahead: watch::Sender::new(Duration::ZERO) })
    }

    /// A clock that stands at `now` until it is moved, for tests. Clones move with it.
    pub fn manual(now: Timestamp) -> Self {
        Self::of(Source::Manual(watch::Sender::new(now)))
    }

    fn of(source: Source) -> Self {
        Self { source, pulse: Arc::default() }
    }

    /// A clock that has come to `moment` at least: the system's may have been set back since.
    #[must_use]
    pub fn not_before(mut self, moment: Timestamp) -> Self {
        let behind = moment.since(self.now());
        match &mut self.source {
            Source::System { started, .. } => *started = *started + behind,
            Source::Skipping { .. } | Source::Manual(_) => self.advance(behind),
        }
        self
    }

    /// This moment.
    pub fn now(&self) -> Timestamp {
        match &self.source {
            Source::System { started, since } => {
                let now = *started + since.elapsed();
                self.pulse.feel(now);
                now
            }
            Source::Skipping { started, since, ahead } => *started + since.elapsed() + *ahead.borrow(),
            Source::Manual(now) => *now.borrow(),
        }
    }

    /// Lets it notice when the process stands still, as long as this is driven. A test's clock, which jumps, has to be
    /// told.
    pub async fn keep_pulse(&self) {
        let Source::System { .. } = &self.source else { return std::future::pending().await };
        let _stops = Stops(&self.pulse);
        loop {
            self.pulse.beat(self.now());
            tokio::time::sleep(PULSE).await;
        }
    }

    /// The last time the process stood still: not run by the system, or busy beyond measure.
    pub fn standstills(&self) -> watch::Receiver<Option<Standstill>> {
        self.pulse.told.subscribe()
    }

    /// Waits until this moment has come, or tells at once that it has.
    pub async fn sleep_until(&self, moment: Timestamp) {
        match &self.source {
            Source::System { .. } => tokio::time::sleep(moment.since(self.now())).await,
            Source::Skipping { ahead, .. } => {
                let mut jumps = ahead.subscribe();
                while self.now() < moment {
                    tokio::select! {
                        () = tokio::time::sleep(moment.since(self.now())) => {}
                        _ = jumps.changed() => {}
                    }
                }
            }
            Source::Manual(now) => {
                // The sender is here: it cannot be closed.
                now.subscribe().wait_for(|now| *now >= moment).await.ok();
            }
        }
    }

    /// Moves a clock of a test on, by whole milliseconds if it is a manual one.
    ///
    /// # Panics
    /// For the system's clock, which nobody moves.
    pub fn advance(&self, by: Duration) {
        match &self.source {
            Source::System { .. } => panic!("only a clock of a test can be moved"),
            Source::Skipping { ahead, .. } => ahead.send_modify(|ahead| *ahead += by),
            Source::Manual(now) => now.send_modify(|now| *now = *now + by),
        }
    }

    /// Moves a clock of a test on as if the process had stood still meanwhile.
    ///
    /// # Panics
    /// For the system's clock, which nobody moves.
    pub fn stand_still(&self, for_time: Duration) {
        let since = self.now();
        self.pulse.told.send_replace(Some(Standstill { since, until: since + for_time }));
        self.advance(for_time);
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where the server reads a clock")]
fn read() -> (Timestamp, Instant) {
    let since_epoch = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("the system's clock stands after 1970");
    (Timestamp::from_millis(0) + since_epoch, Instant::now())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_manual_clock_moves_with_its_clones_and_only_when_told() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let other = clock.clone();
        assert_eq!(other.now(), Timestamp::from_millis(1_000));
        clock.advance(Duration::from_millis(250));
        assert_eq!(other.now(), Timestamp::from_millis(1_250));
    }

    /// Who sleeps wakes when the clock has come to the moment, and not before.
    #[tokio::test]
    async fn a_jump_wakes_who_sleeps() {
        for clock in [Clock::skipping(), Clock::manual(Timestamp::from_millis(1_000))] {
            let moment = clock.now() + Duration::from_secs(3_600);
            let mut sleeping = Box::pin(clock.sleep_until(moment));
            clock.advance(Duration::from_secs(3_599));
            assert!((&mut sleeping).now_or_never().is_none(), "{clock:?}");
            clock.advance(Duration::from_secs(1));
            sleeping.await;
            assert!(clock.now() >= moment);
        }
    }

    /// A moment that lies ahead is taken up, one that has gone by changes nothing.
    #[test]
    fn a_clock_is_not_before_what_was() {
        let hour = Duration::from_secs(3_600);
        let ahead = Clock::system().now() + hour;
        let clock = Clock::system().not_before(ahead);
        assert!(clock.now() >= ahead);
        let system = Clock::system().not_before(Timestamp::from_millis(1_000));
        assert!(system.now() < ahead);
        let manual = Clock::manual(Timestamp::from_millis(1_000)).not_before(Timestamp::from_millis(5_000));
        assert_eq!(manual.now(), Timestamp::from_millis(5_000));
    }

    #[test]
    fn the_system_clock_is_in_this_century_and_never_goes_back() {
        let clock = Clock::system();
        let first = clock.now();
        assert!(first > Timestamp::from_millis(1_700_000_000_000));
        assert!(clock.now() >= first);
    }
}
