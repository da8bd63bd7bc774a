//! Controls of a search: a clock and a stop switch.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use quadrex_engine::SearchControl;

/// A control of a search that measures time and never stops the search.
#[derive(Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this crate measures time")]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl SearchControl for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// A control of a search that stops it on request and records the time of the stop.
#[derive(Debug, Default)]
pub struct StopSwitch(OnceLock<Stopwatch>);

impl StopSwitch {
    /// Stops the search.
    pub fn stop(&self) {
        self.0.get_or_init(Stopwatch::start);
    }

    /// Returns the time since the stop; zero if there was none.
    #[must_use]
    pub fn time_since_stop(&self) -> Duration {
        self.0.get().map(SearchControl::elapsed).unwrap_or_default()
    }
}

impl SearchControl for StopSwitch {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        self.0.get().is_some()
    }
}
