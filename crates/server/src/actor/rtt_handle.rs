//! The measured round-trip time of a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A handle to the round-trip time of one connection, now and later. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RttHandle(Option<Arc<AtomicU64>>);

impl RttHandle {
    /// Returns the handle of a connection whose lag is not compensated.
    #[must_use]
    pub fn unmeasured() -> Self {
        Self(None)
    }

    /// Returns the handle of a connection that is measured; zero until the first measurement.
    #[must_use]
    pub fn measured() -> Self {
        Self(Some(Arc::default()))
    }

    /// Publishes a measurement.
    pub fn publish(&self, round_trip: Duration) {
        if let Some(measured) = &self.0 {
            measured.store(u64::try_from(round_trip.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Returns the last measurement.
    #[must_use]
    pub fn last(&self) -> Duration {
        self.0
            .as_ref()
            .map_or(Duration::ZERO, |measured| Duration::from_nanos(measured.load(Ordering::Relaxed)))
    }
}
