//! Ratings of players, for each variant and speed.

use std::fmt;
use std::str::FromStr;

use quadrex_rules::{Color, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::settings::TimeSetting;
use crate::user::UserView;
use crate::vocabulary::{ColorText, VariantText};

/// The number of moves for which the increments or delays of a time control are counted.
const COUNTED_MOVES: u64 = 40;

/// The speed of a time control, by the time of a player for 40 moves.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Less than 3 minutes.
    Bullet,
    /// 3 to 8 minutes.
    Blitz,
    /// 8 to 25 minutes.
    Rapid,
    /// 25 minutes and more.
    Classical,
    /// Days for each turn.
    Correspondence,
}

impl Speed {
    /// All speeds, from the fastest one.
    pub const ALL: [Self; 5] =
        [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// Returns the speed of a time control, or `None` if it has no clocks.
    #[must_use]
    pub fn of(time: TimeSetting) -> Option<Self> {
        let (base_ms, more_ms) = match time {
            TimeSetting::None => return None,
            TimeSetting::Correspondence { .. } => return Some(Self::Correspondence),
            TimeSetting::Fischer { base_ms, increment_ms } => (base_ms, increment_ms),
            TimeSetting::Delay { base_ms, delay_ms } => (base_ms, delay_ms),
        };
        let seconds = base_ms.saturating_add(more_ms.saturating_mul(COUNTED_MOVES)) / 1_000;
        Some(match seconds {
            0..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1_500 => Self::Rapid,
            _ => Self::Classical,
        })
    }

    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a text that is not the name of a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no speed: expected bullet, blitz, rapid, classical or correspondence")]
pub struct InvalidSpeed;

impl FromStr for Speed {
    type Err = InvalidSpeed;

    fn from_str(text: &str) -> Result<Self, InvalidSpeed> {
        Self::ALL.into_iter().find(|speed| speed.name() == text).ok_or(InvalidSpeed)
    }
}

/// A user's rating in one variant at one speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RatingView {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The speed.
    pub speed: Speed,
    /// The rating, rounded. Players begin at 1500.
    pub rating: i32,
    /// The standard deviation of the rating, rounded.
    pub deviation: u32,
    /// True while the rating is too uncertain for a comparison with others.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub provisional: bool,
    /// The number of rated matches.
    pub matches: u32,
}

/// The answer to `GET /api/ratings/{variant}/{speed}`: the players with the best ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Leaderboard {
    /// The players, best first. Only players with a certain rating and enough rated matches are
    /// listed.
    pub players: Vec<RankedPlayer>,
}

/// A player in a [`Leaderboard`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RankedPlayer {
    /// The player.
    pub user: UserView,
    /// The rating, rounded.
    pub rating: i32,
    /// The number of rated matches.
    pub matches: u32,
}

/// The answer to `GET /api/users/{user}/ratings/{variant}/{speed}`: the ratings of a user after each
/// rated match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RatingHistory {
    /// The user's place in the leaderboard, from 1, also beyond the players it shows; absent if the
    /// user has too few rated matches or an uncertain rating.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub rank: Option<u32>,
    /// The ratings in the order of the matches. If there are very many, the newest ones.
    pub points: Vec<RatingPoint>,
}

/// A user's rating after a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RatingPoint {
    /// The end of the match, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The rating after the match, rounded.
    pub rating: i32,
    /// The standard deviation after the match, rounded.
    pub deviation: u32,
}

/// The answer to `GET /api/matches/{match}/ratings`: the ratings of the players of a rated match.
/// Empty for a casual match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchRatings {
    /// The seats in turn order.
    pub seats: Vec<SeatRating>,
}

/// The rating of a player in a rated match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SeatRating {
    /// The seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The rating before the match, rounded.
    pub before: i32,
    /// True if the rating before the match was too uncertain for a comparison with others.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub provisional: bool,
    /// The average final place that players with these ratings reach.
    pub expected_place: f64,
    /// The rating after the match, rounded; absent until the match is rated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub after: Option<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_follows_from_the_time_for_40_moves() {
        let fischer = |base: u64, increment: u64| TimeSetting::Fischer {
            base_ms: base * 1_000,
            increment_ms: increment * 1_000,
        };
        for (time, speed) in [
            (fischer(60, 0), Some(Speed::Bullet)),
            (fischer(179, 0), Some(Speed::Bullet)),
            (fischer(180, 0), Some(Speed::Blitz)),
            (fischer(60, 3), Some(Speed::Blitz)),
            (fischer(479, 0), Some(Speed::Blitz)),
            (fischer(480, 0), Some(Speed::Rapid)),
            (fischer(900, 15), Some(Speed::Classical)),
            (TimeSetting::Delay { base_ms: 300_000, delay_ms: 5_000 }, Some(Speed::Rapid)),
            (TimeSetting::Delay { base_ms: u64::MAX, delay_ms: u64::MAX }, Some(Speed::Classical)),
            (TimeSetting::Correspondence { days: 1 }, Some(Speed::Correspondence)),
            (TimeSetting::None, None),
        ] {
            assert_eq!(Speed::of(time), speed, "{time:?}");
        }
    }

    #[test]
    fn the_text_of_a_speed_is_its_name_on_the_wire() {
        for speed in Speed::ALL {
            assert_eq!(speed.to_string().parse(), Ok(speed));
            assert_eq!(serde_json::to_value(speed).unwrap(), speed.name());
        }
        assert_eq!("Blitz".parse::<Speed>(), Err(InvalidSpeed));
    }
}
