//! Time controls: how thinking time is given.

use core::time::Duration;

/// How long a player may take for its first own move where clocks run: until then its budget does not go down.
pub(super) const FIRST_MOVE: Duration = Duration::from_secs(30);

/// The moves a match is expected to last when its length is estimated from its time control.
const EXPECTED_MOVES: u32 = 40;

/// The least and the most that a reconnect bank holds.
const BANK: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(180));

/// How thinking time is given. All durations count in whole milliseconds.
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
        /// Free time on each own turn; what is not used is lost.
        #[cfg_attr(feature = "serde", serde(rename = "delay_ms", with = "millis"))]
        delay: Duration,
    },
    /// The same time for each turn; what is not used is lost.
    Correspondence {
        /// The time for one turn, whole days as a rule.
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
    /// The time each player starts with; none without clocks.
    #[must_use]
    pub const fn base(self) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Fischer { base, .. } | Self::Delay { base, .. } => Some(base),
            Self::Correspondence { per_turn } => Some(per_turn),
        }
    }

    /// How long one player may be away on its own turns in all before it counts as gone: a tenth of the time a
    /// match of 40 moves gives it, 30 to 180 seconds; 180 without clocks. None in correspondence, where the time for
    /// the turn is the limit.
    #[must_use]
    pub fn reconnect_bank(self) -> Option<Duration> {
        let (least, most) = BANK;
        let expected = |base: Duration, gift: Duration| {
            let whole = base.saturating_add(gift.saturating_mul(EXPECTED_MOVES));
            (whole / 10).clamp(least, most)
        };
        match self {
            Self::None => Some(most),
            Self::Fischer { base, increment } => Some(expected(base, increment)),
            Self::Delay { base, delay } => Some(expected(base, delay)),
            Self::Correspondence { .. } => None,
        }
    }

    /// Free time at the start of a turn, before the budget runs; more before a player's first own move.
    pub(super) const fn free(self, has_moved: bool) -> Duration {
        match self {
            Self::Fischer { .. } | Self::Delay { .. } if !has_moved => FIRST_MOVE,
            Self::Delay { delay, .. } => delay,
            Self::None | Self::Fischer { .. } | Self::Correspondence { .. } => Duration::ZERO,
        }
    }

    /// Whether the budget stands still until a player has moved once.
    pub(super) const fn spares_first_move(self) -> bool {
        match self {
            Self::Fischer { .. } | Self::Delay { .. } => true,
            Self::None | Self::Correspondence { .. } => false,
        }
    }

    /// What a finished move adds.
    pub(super) const fn increment(self) -> Duration {
        match self {
            Self::None | Self::Delay { .. } | Self::Correspondence { .. } => Duration::ZERO,
            Self::Fischer { increment, .. } => increment,
        }
    }

    /// What every turn starts with anew, if it does.
    pub(super) const fn each_turn(self) -> Option<Duration> {
        match self {
            Self::Correspondence { per_turn } => Some(per_turn),
            Self::None | Self::Fischer { .. } | Self::Delay { .. } => None,
        }
    }
}

pub(super) fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
