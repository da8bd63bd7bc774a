//! How long a line takes for a question and its answer, as the server measures it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A look at what is measured of one line, now and later. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RoundTrip(Option<Arc<AtomicU64>>);

impl RoundTrip {
    /// Of a line whose lag is not compensated.
    #[must_use]
    pub fn unmeasured() -> Self {
        Self(None)
    }

    /// Of a line that is to be measured; zero until it has been.
    #[must_use]
    pub fn measured() -> Self {
        Self(Some(Arc::default()))
    }

    /// Takes in what was measured just now.
    pub fn tell(&self, round_trip: Duration) {
        if let Some(measured) = &self.0 {
            measured.store(u64::try_from(round_trip.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// What was measured last.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.0
            .as_ref()
            .map_or(Duration::ZERO, |measured| Duration::from_nanos(measured.load(Ordering::Relaxed)))
    }
}
