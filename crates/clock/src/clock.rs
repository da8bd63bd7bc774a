//! The clock of a process: the system's clock, or a clock that a test moves.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quadrex_rules::Timestamp;
use tokio::sync::watch;

#[cfg(feature = "simulation")]
use crate::simulated::SimulatedHardware;
use crate::stall_detector::{CHECK_INTERVAL, Disarm, Stall, StallDetector};
use crate::steering::{SteeredTime, TimeSample};

/// The time that tables have after a stall to record it in their logs.
const STALL_RECORDED_AFTER: Duration = Duration::from_millis(500);

/// A clock. Code that handles an input should read the clock once and pass that time to the
/// functions it calls.
///
/// The system's time is read only once, when the clock is created. After that the clock follows the
/// monotonic clock, so a correction of the system's time never changes a player's clock. It can also
/// follow the time of a server that several processes share ([`follow`](Self::follow)). While
/// [`detect_stalls`](Self::detect_stalls) runs, the clock detects [stalls](Self::stalls) of the
/// process. When [`now`](Self::now) returns a time later than a stall, that stall has already been
/// published.
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
    stall_detector: Arc<StallDetector>,
}

#[derive(Clone, Debug)]
enum Source {
    System { started: Timestamp, since: Moment },
    Steered { since: Moment, time: Arc<Mutex<SteeredTime>> },
    Adjustable { started: Timestamp, since: Instant, ahead: watch::Sender<Duration> },
    Manual(watch::Sender<Timestamp>),
}

impl Clock {
    /// Returns a clock that follows the real time.
    pub fn system() -> Self {
        let (started, since) = read();
        Self::of(Source::System { started, since: Moment::Real(since) })
    }

    /// Returns a clock of a process on simulated hardware. Like [`system`](Self::system), it reads
    /// the time of day only now.
    #[cfg(feature = "simulation")]
    pub fn simulated(hardware: &SimulatedHardware) -> Self {
        let started = hardware.time_of_day();
        let since = Moment::Simulated { hardware: hardware.clone(), at: hardware.uptime() };
        Self::of(Source::System { started, since })
    }

    /// Returns a clock that follows the real time and that a test can also move ahead. Clones share
    /// the time.
    pub fn adjustable() -> Self {
        let (started, since) = read();
        Self::of(Source::Adjustable { started, since, ahead: watch::Sender::new(Duration::ZERO) })
    }

    /// Returns a clock that stays at `now` until a test moves it. Clones share the time.
    pub fn manual(now: Timestamp) -> Self {
        Self::of(Source::Manual(watch::Sender::new(now)))
    }

    fn of(source: Source) -> Self {
        Self { source, stall_detector: Arc::default() }
    }

    /// Returns a clock that follows the time of a server from now on. A clock of a test stays as it is.
    /// The moments of the sample are those of [`elapsed`](Self::elapsed).
    #[must_use]
    pub fn follow(mut self, sample: TimeSample) -> Self {
        if let Source::System { since, .. } = &self.source {
            let since = since.clone();
            self.source = Source::Steered { since, time: Arc::new(Mutex::new(SteeredTime::new(sample))) };
        }
        self
    }

    /// Corrects a clock that follows the time of a server. Other clocks do not change.
    pub fn record_sample(&self, sample: TimeSample) {
        if let Source::Steered { time, .. } = &self.source {
            time.lock().unwrap_or_else(PoisonError::into_inner).record(sample);
        }
    }

    /// Returns the time that has passed by the monotonic clock since this clock was created.
    pub fn elapsed(&self) -> Duration {
        match &self.source {
            Source::System { since, .. } | Source::Steered { since, .. } => since.elapsed(),
            Source::Adjustable { since, ahead, .. } => since.elapsed() + *ahead.borrow(),
            Source::Manual(now) => Duration::from_millis(now.borrow().as_millis()),
        }
    }

    /// If the clock is behind `moment`, moves it ahead to `moment`. The clock can be behind if the
    /// system's time was set back before the start.
    #[must_use]
    pub fn not_before(mut self, moment: Timestamp) -> Self {
        let behind = moment.since(self.now());
        match &mut self.source {
            Source::System { started, .. } => *started = *started + behind,
            // The time of the server decides.
            Source::Steered { .. } => {}
            Source::Adjustable { .. } | Source::Manual(_) => self.advance(behind),
        }
        self
    }

    /// Returns the present moment.
    pub fn now(&self) -> Timestamp {
        match &self.source {
            Source::System { started, since } => {
                let now = *started + since.elapsed();
                self.stall_detector.observe(now);
                now
            }
            Source::Steered { since, time } => {
                let now = time.lock().unwrap_or_else(PoisonError::into_inner).at(since.elapsed());
                self.stall_detector.observe(now);
                now
            }
            Source::Adjustable { started, since, ahead } => *started + since.elapsed() + *ahead.borrow(),
            Source::Manual(now) => *now.borrow(),
        }
    }

    /// Detects stalls of the process as long as the future is polled. The clocks for tests detect
    /// no stalls, but a test can simulate a stall with [`stall`](Self::stall).
    pub async fn detect_stalls(&self) -> Infallible {
        let (Source::System { .. } | Source::Steered { .. }) = &self.source else {
            return std::future::pending().await;
        };
        let _disarm = Disarm(&self.stall_detector);
        loop {
            self.stall_detector.heartbeat(self.now());
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Subscribes to the stalls of the process: periods in which the system did not run it, or in
    /// which it was too busy to check the clock. The value of the returned channel is the last
    /// stall.
    pub fn stalls(&self) -> watch::Receiver<Option<Stall>> {
        self.stall_detector.stalls.subscribe()
    }

    /// Returns the moment that a later process takes for the beginning of an outage if this process ends
    /// now: usually the present moment. Just after a stall, it is the beginning of the stall, because tables
    /// may not have recorded the stall in their logs yet.
    pub fn alive_until(&self) -> Timestamp {
        let now = self.now();
        let last = *self.stall_detector.stalls.borrow();
        last.filter(|stall| now.since(stall.until) < STALL_RECORDED_AFTER).map_or(now, |stall| stall.since)
    }

    /// Waits until `moment`. Returns at once if `moment` is in the past.
    pub async fn sleep_until(&self, moment: Timestamp) {
        match &self.source {
            Source::System { .. } | Source::Steered { .. } => {
                // The clock may be slower than the runtime's, or may have been slowed down meanwhile.
                while self.now() < moment {
                    tokio::time::sleep(moment.since(self.now())).await;
                }
            }
            Source::Adjustable { ahead, .. } => {
                let mut jumps = ahead.subscribe();
                while self.now() < moment {
                    tokio::select! {
                        () = tokio::time::sleep(moment.since(self.now())) => {}
                        _ = jumps.changed() => {}
                    }
                }
            }
            Source::Manual(now) => {
                // The channel cannot be closed, because the sender is a part of the clock.
                now.subscribe().wait_for(|now| *now >= moment).await.ok();
            }
        }
    }

    /// Moves a test's clock ahead. A manual clock moves by whole milliseconds.
    ///
    /// # Panics
    /// Panics if this is the system's clock, which cannot be moved.
    pub fn advance(&self, by: Duration) {
        match &self.source {
            Source::System { .. } | Source::Steered { .. } => panic!("only a clock of a test can be moved"),
            Source::Adjustable { ahead, .. } => ahead.send_modify(|ahead| *ahead += by),
            Source::Manual(now) => now.send_modify(|now| *now = *now + by),
        }
    }

    /// Moves a test's clock ahead as if the process had stalled meanwhile.
    ///
    /// # Panics
    /// Panics if this is the system's clock, which cannot be moved.
    pub fn stall(&self, for_time: Duration) {
        let since = self.now();
        self.stall_detector.stalls.send_replace(Some(Stall { since, until: since + for_time }));
        self.advance(for_time);
    }
}

/// A moment by the monotonic clock.
#[derive(Clone, Debug)]
enum Moment {
    Real(Instant),
    /// A moment by the clock of simulated hardware.
    #[cfg(feature = "simulation")]
    Simulated {
        hardware: SimulatedHardware,
        at: Duration,
    },
}

impl Moment {
    /// Returns the time that has passed since this moment.
    fn elapsed(&self) -> Duration {
        match self {
            Self::Real(moment) => moment.elapsed(),
            #[cfg(feature = "simulation")]
            Self::Simulated { hardware, at } => hardware.uptime().saturating_sub(*at),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where the clock is read")]
fn read() -> (Timestamp, Instant) {
    let since_epoch = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("the system's clock shows a year after 1970");
    (Timestamp::from_millis(0) + since_epoch, Instant::now())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clock_can_follow_the_time_of_a_server() {
        let clock = Clock::system();
        let sample = |time| {
            let moment = clock.elapsed();
            TimeSample { sent: moment, received: moment, time }
        };
        let server = Timestamp::from_millis(5_000_000);
        let following = clock.clone().follow(sample(server));
        let shown = following.now();
        assert!(shown >= server && shown < server + Duration::from_secs(60), "{shown:?}");
        following.record_sample(sample(server + Duration::from_secs(3_600)));
        assert!(following.now() < server + Duration::from_secs(60), "it never jumps");
        let manual = Clock::manual(server);
        assert_eq!(manual.clone().follow(sample(shown)).now(), server, "a test's clock stays as it is");
    }

    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_manual_clock_moves_with_its_clones_and_only_by_advance() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let other = clock.clone();
        assert_eq!(other.now(), Timestamp::from_millis(1_000));
        clock.advance(Duration::from_millis(250));
        assert_eq!(other.now(), Timestamp::from_millis(1_250));
    }

    #[test]
    fn a_process_counts_as_alive_after_a_stall_once_it_is_recorded() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        assert_eq!(clock.alive_until(), clock.now());
        clock.stall(Duration::from_secs(9));
        clock.advance(STALL_RECORDED_AFTER - Duration::from_millis(1));
        assert_eq!(clock.alive_until(), Timestamp::from_millis(1_000));
        clock.advance(Duration::from_millis(1));
        assert_eq!(clock.alive_until(), clock.now());
    }

    /// A sleeping task wakes when the clock reaches the moment, and not before.
    #[tokio::test]
    async fn a_jump_past_the_moment_wakes_a_sleeping_task() {
        for clock in [Clock::adjustable(), Clock::manual(Timestamp::from_millis(1_000))] {
            let moment = clock.now() + Duration::from_secs(3_600);
            let mut sleeping = Box::pin(clock.sleep_until(moment));
            clock.advance(Duration::from_secs(3_599));
            assert!((&mut sleeping).now_or_never().is_none(), "{clock:?}");
            clock.advance(Duration::from_secs(1));
            sleeping.await;
            assert!(clock.now() >= moment);
        }
    }

    /// A moment in the future moves the clock ahead. A moment in the past changes nothing.
    #[test]
    fn a_clock_starts_no_earlier_than_a_known_moment() {
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
    fn the_system_clock_is_plausible_and_monotonic() {
        let clock = Clock::system();
        let first = clock.now();
        assert!(first > Timestamp::from_millis(1_700_000_000_000));
        assert!(clock.now() >= first);
    }
}
