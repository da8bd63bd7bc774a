//! The measured round-trip time of a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A handle through which the round-trip time of one connection is published and read. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct RttHandle {
    /// The published round-trip time; `None` for a connection that is never measured.
    nanoseconds: Option<Arc<AtomicU64>>,
}

impl RttHandle {
    /// Returns the handle of a connection that is never measured, because its lag is not
    /// compensated.
    #[must_use]
    pub fn new_unmeasured() -> Self {
        Self { nanoseconds: None }
    }

    /// Returns the handle of a connection that is measured. The round-trip time is zero until the
    /// first measurement.
    #[must_use]
    pub fn new_measured() -> Self {
        Self { nanoseconds: Some(Arc::default()) }
    }

    /// Publishes a round-trip time.
    pub fn publish(&self, round_trip: Duration) {
        if let Some(nanoseconds) = &self.nanoseconds {
            nanoseconds.store(u64::try_from(round_trip.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Returns the round-trip time that was published last; zero if there is none.
    #[must_use]
    pub fn round_trip_time(&self) -> Duration {
        self.nanoseconds
            .as_ref()
            .map_or(Duration::ZERO, |nanoseconds| Duration::from_nanos(nanoseconds.load(Ordering::Relaxed)))
    }
}
