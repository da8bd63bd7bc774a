//! How long a line takes for a question and its answer, as the server measures it.

use std::time::Duration;

use tokio::sync::watch;

/// A look at what is measured of one line, now and later.
#[derive(Clone, Debug)]
pub struct RoundTrip(Option<watch::Receiver<Duration>>);

impl RoundTrip {
    /// Of a line whose lag is not compensated.
    #[must_use]
    pub fn unmeasured() -> Self {
        Self(None)
    }

    /// Of a line that is measured; zero until it has been.
    #[must_use]
    pub fn of(measured: watch::Receiver<Duration>) -> Self {
        Self(Some(measured))
    }

    /// What was measured last.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.0.as_ref().map_or(Duration::ZERO, |measured| *measured.borrow())
    }
}
