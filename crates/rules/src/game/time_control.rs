//! Time controls.

use core::time::Duration;

/// The time limit for a player's first move in a match with clocks. The player's budget does not
/// run before this move.
pub(super) const FIRST_MOVE: Duration = Duration::from_secs(30);

/// The expected number of moves of a match, for estimates of its length.
const EXPECTED_MOVES: u32 = 40;

/// The minimum and the maximum of a reconnect bank.
const RECONNECT_BANK_RANGE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(180));

/// A time control. All durations count in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum TimeControl {
    /// No clocks.
    None,
    /// A budget, and an increment after each own move.
    Fischer {
        /// The budget at the start.
        #[cfg_attr(feature = "serde", serde(rename = "base_ms", with = "millis"))]
        base: Duration,
        /// Added after each own move.
        #[cfg_attr(feature = "serde", serde(rename = "increment_ms", with = "millis"))]
        increment: Duration,
    },
    /// A budget that starts to run only after a delay on each own turn.
    Delay {
        /// The budget at the start.
        #[cfg_attr(feature = "serde", serde(rename = "base_ms", with = "millis"))]
        base: Duration,
        /// Free time on each own turn; the unused rest is lost.
        #[cfg_attr(feature = "serde", serde(rename = "delay_ms", with = "millis"))]
        delay: Duration,
    },
    /// The same time for each turn; the unused rest is lost.
    Correspondence {
        /// The time for one turn, usually whole days.
        #[cfg_attr(feature = "serde", serde(rename = "per_turn_ms", with = "millis"))]
        per_turn: Duration,
    },
}

/// Durations as whole milliseconds.
#[cfg(feature = "serde")]
mod millis {
    use core::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        super::whole_millis(*duration).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

impl TimeControl {
    /// Returns the time each player starts with; `None` without clocks.
    #[must_use]
    pub const fn base(self) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Fischer { base, .. } | Self::Delay { base, .. } => Some(base),
            Self::Correspondence { per_turn } => Some(per_turn),
        }
    }

    /// Returns the total time that a player may be disconnected on its own turns. When this time is
    /// used up, the player counts as absent.
    ///
    /// The total is a tenth of a player's time in a match of 40 moves, but at least 30 and at most
    /// 180 seconds. Without clocks it is 180 seconds. `None` in correspondence, where the time for
    /// the turn is the limit.
    #[must_use]
    pub fn reconnect_bank(self) -> Option<Duration> {
        let (minimum, maximum) = RECONNECT_BANK_RANGE;
        let expected = |base: Duration, bonus: Duration| {
            let expected_time = base.saturating_add(bonus.saturating_mul(EXPECTED_MOVES));
            (expected_time / 10).clamp(minimum, maximum)
        };
        match self {
            Self::None => Some(maximum),
            Self::Fischer { base, increment } => Some(expected(base, increment)),
            Self::Delay { base, delay } => Some(expected(base, delay)),
            Self::Correspondence { .. } => None,
        }
    }

    /// Returns the free time at the start of a turn, before the budget runs. A player's first move
    /// has more free time.
    pub(super) const fn free(self, has_moved: bool) -> Duration {
        match self {
            Self::Fischer { .. } | Self::Delay { .. } if !has_moved => FIRST_MOVE,
            Self::Delay { delay, .. } => delay,
            Self::None | Self::Fischer { .. } | Self::Correspondence { .. } => Duration::ZERO,
        }
    }

    /// Returns true if a player's budget does not run before the player's first move.
    pub(super) const fn has_free_first_move(self) -> bool {
        match self {
            Self::Fischer { .. } | Self::Delay { .. } => true,
            Self::None | Self::Correspondence { .. } => false,
        }
    }

    /// Returns the time that a finished move adds.
    pub(super) const fn increment(self) -> Duration {
        match self {
            Self::None | Self::Delay { .. } | Self::Correspondence { .. } => Duration::ZERO,
            Self::Fischer { increment, .. } => increment,
        }
    }

    /// Returns the new time that each turn gets; `None` if time carries over.
    pub(super) const fn time_per_turn(self) -> Option<Duration> {
        match self {
            Self::Correspondence { per_turn } => Some(per_turn),
            Self::None | Self::Fischer { .. } | Self::Delay { .. } => None,
        }
    }
}

pub(super) fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
