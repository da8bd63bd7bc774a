//! The measurement of a duration.

use std::time::{Duration, Instant};

/// A measurement of a duration, which only metrics use.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a measurement.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a measurement")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a measurement")]
    pub fn elapsed(self) -> Duration {
        Instant::now().duration_since(self.0)
    }
}
