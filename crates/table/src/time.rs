//! Conversions of durations.

use std::time::Duration;

/// Returns a duration in whole milliseconds, which is the unit on the wire.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
