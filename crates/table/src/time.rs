//! Conversions of durations and moments.

use std::time::Duration;

use quadrex_rules::Timestamp;

/// Returns the moment that lies `by` before another.
pub(crate) fn before(moment: Timestamp, by: Duration) -> Timestamp {
    let by = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
    Timestamp::from_millis(moment.as_millis().saturating_sub(by))
}

/// Returns whole milliseconds, as the wire has them.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
