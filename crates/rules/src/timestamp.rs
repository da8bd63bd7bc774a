//! Time as it is passed in: the crate reads no clock.

use core::ops::Add;
use core::time::Duration;

/// Milliseconds since the Unix epoch, as told by the caller.
///
/// ```
/// use std::time::Duration;
///
/// use quadrex_rules::Timestamp;
///
/// let start = Timestamp::from_millis(1_000);
/// let later = start + Duration::from_secs(2);
/// assert_eq!(later.as_millis(), 3_000);
/// assert_eq!(later.since(start), Duration::from_secs(2));
/// assert_eq!(start.since(later), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Timestamp(u64);

impl Timestamp {
    /// The moment this many milliseconds after the Unix epoch.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// The time since `earlier`; zero if `earlier` lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// Moves on by whole milliseconds, stopping at the end of the range.
impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)))
    }
}
