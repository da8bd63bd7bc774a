//! Conversions of durations and times.

use std::time::Duration;

use quadrex_rules::Timestamp;

/// Returns the moment that is `duration` earlier than `time`.
pub(crate) fn before(time: Timestamp, duration: Duration) -> Timestamp {
    Timestamp::from_millis(time.as_millis().saturating_sub(millis(duration)))
}

/// Returns a duration in whole milliseconds, which is the unit on the wire.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
