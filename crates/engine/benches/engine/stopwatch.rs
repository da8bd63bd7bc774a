//! The time that goes by.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use quadrex_engine::SearchControl;

/// Runs from its start on.
#[derive(Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "measuring is all this program does")]
    pub(crate) fn start() -> Self {
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

/// Tells a search to end, and keeps when.
#[derive(Debug, Default)]
pub(crate) struct Stoppable(OnceLock<Stopwatch>);

impl Stoppable {
    pub(crate) fn stop(&self) {
        self.0.get_or_init(Stopwatch::start);
    }

    /// The time since it was told to; zero if it has not been.
    pub(crate) fn stopped_for(&self) -> Duration {
        self.0.get().map(SearchControl::elapsed).unwrap_or_default()
    }
}

impl SearchControl for Stoppable {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        self.0.get().is_some()
    }
}
