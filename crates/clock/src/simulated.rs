//! Simulated hardware, whose clocks can step and drift.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use tokio::time::Instant;

/// One million, the unit of a drift.
const MILLION: i128 = 1_000_000;

/// The clocks of a simulated machine. They follow the virtual time of a Tokio runtime whose time is
/// paused. Clones are the same machine.
#[derive(Clone, Debug)]
pub struct SimulatedHardware(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The virtual time at which the drift last changed.
    since: Instant,
    /// The time that the monotonic clock showed then.
    uptime: Duration,
    /// The number of microseconds by which the monotonic clock gains in a second.
    drift: i32,
    /// The time of day at which the monotonic clock showed zero.
    started: Timestamp,
}

impl SimulatedHardware {
    /// Returns a machine that starts now, with this time of day. Its clocks do not drift.
    #[must_use]
    pub fn new(time_of_day: Timestamp) -> Self {
        let state = State { since: virtual_now(), uptime: Duration::ZERO, drift: 0, started: time_of_day };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Returns the time since the start of the machine, by its own clock.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        self.lock().uptime()
    }

    /// Returns the time of day.
    #[must_use]
    pub fn time_of_day(&self) -> Timestamp {
        let state = self.lock();
        state.started + state.uptime()
    }

    /// Returns the drift: the number of microseconds by which the clocks gain in a second.
    #[must_use]
    pub fn drift(&self) -> i32 {
        self.lock().drift
    }

    /// Changes the drift: the number of microseconds by which the clocks gain in a second.
    pub fn set_drift(&self, drift: i32) {
        let mut state = self.lock();
        state.uptime = state.uptime();
        state.since = virtual_now();
        state.drift = drift;
    }

    /// Sets the time of day, as an administrator or a time server does. The monotonic clock stays as
    /// it is.
    pub fn set_time_of_day(&self, time: Timestamp) {
        let mut state = self.lock();
        let uptime = u64::try_from(state.uptime().as_millis()).unwrap_or(u64::MAX);
        state.started = Timestamp::from_millis(time.as_millis().saturating_sub(uptime));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn uptime(&self) -> Duration {
        let passed = virtual_now().saturating_duration_since(self.since);
        let nanos = i128::try_from(passed.as_nanos()).unwrap_or(i128::MAX);
        let gained = nanos.saturating_mul(i128::from(self.drift)) / MILLION;
        let passed = u64::try_from(nanos.saturating_add(gained)).unwrap_or(0);
        self.uptime + Duration::from_nanos(passed)
    }
}

#[expect(clippy::disallowed_methods, reason = "the virtual time of a simulation")]
fn virtual_now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    const NOON: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    /// A clock drifts with its machine, but a step of the time of day does not change it.
    #[tokio::test(start_paused = true)]
    async fn a_clock_drifts_with_its_machine_and_does_not_step() {
        let machine = SimulatedHardware::new(NOON);
        machine.set_drift(100_000);
        let clock = Clock::simulated(&machine);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(clock.now(), NOON + Duration::from_secs(11));
        machine.set_time_of_day(NOON);
        assert_eq!(clock.now(), NOON + Duration::from_secs(11));
        assert_eq!(Clock::simulated(&machine).now(), NOON, "a later process reads the time of day");
    }

    /// A slow clock wakes a task when it shows the time, not when the time has come elsewhere.
    #[tokio::test(start_paused = true)]
    async fn a_task_sleeps_by_the_slow_clock() {
        let machine = SimulatedHardware::new(NOON);
        machine.set_drift(-500_000);
        let clock = Clock::simulated(&machine);
        let began = virtual_now();
        clock.sleep_until(NOON + Duration::from_secs(10)).await;
        assert!(clock.now() >= NOON + Duration::from_secs(10));
        assert!(virtual_now() - began >= Duration::from_secs(20));
    }
}
