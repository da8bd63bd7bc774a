//! The monotonic clock.

use std::time::Instant;

/// Returns the time of the monotonic clock. In a simulation this is the virtual time. Only code that
/// measures durations, and is no part of a match, may use it. Everything else uses a
/// `quadrex_clock::Clock`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place where servers read the monotonic clock")]
pub fn monotonic() -> Instant {
    tokio::time::Instant::now().into_std()
}
