//! Measuring the time a thread has had a processor, which on a busy machine is less than what has
//! gone by.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// The processor time of this thread; where the system does not report it, the time of day.
pub(crate) struct ThreadTime;

impl Measurement for ThreadTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        now()
    }

    fn end(&self, started: Duration) -> Duration {
        now().saturating_sub(started)
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_secs_f64() * 1e9
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// The first number of Linux's `schedstat` is the thread's processor time in nanoseconds, as of the
/// last time the scheduler looked at it (Documentation/scheduler/sched-stats.rst). Yielding makes
/// it look.
fn now() -> Duration {
    std::thread::yield_now();
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedstat.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(time_of_day, Duration::from_nanos)
}

#[expect(clippy::disallowed_methods, reason = "measuring is all this program does")]
fn time_of_day() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
