//! The rating of a player, and its growing uncertainty while the player does not play.

use std::time::Duration;

/// The largest uncertainty: that of a player who has not played yet.
const MAX_DEVIATION: f64 = 350.0;

/// The smallest uncertainty. Without this floor the ratings of regular players would hardly change
/// any more, although their strength does.
pub(crate) const MIN_DEVIATION: f64 = 60.0;

/// The uncertainty above which a rating is provisional.
pub const PROVISIONAL_DEVIATION: f64 = 110.0;

/// The growth of the squared uncertainty per day without a match. With it, the uncertainty of a
/// regular player grows from the smallest value to that of a provisional rating in a year.
pub const GROWTH_PER_DAY: f64 =
    (PROVISIONAL_DEVIATION * PROVISIONAL_DEVIATION - MIN_DEVIATION * MIN_DEVIATION) / 365.0;

/// The number of seconds in a day.
const DAY: f64 = 86_400.0;

/// The estimated strength of a player in one kind of match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate. Players begin at 1500.
    pub value: f64,
    /// The standard deviation of the estimate, 60 to 350.
    pub deviation: f64,
    /// The expected fluctuation of the strength, as Glicko-2 defines it. Matches of more than two
    /// players do not change it.
    pub volatility: f64,
}

impl Rating {
    /// The rating of a player who has not played yet.
    pub const INITIAL: Self = Self { value: 1500.0, deviation: MAX_DEVIATION, volatility: 0.06 };

    /// Returns the rating after a time without a match. Only the uncertainty grows.
    #[must_use]
    pub fn after_pause(self, pause: Duration) -> Self {
        let growth = GROWTH_PER_DAY * pause.as_secs_f64() / DAY;
        Self { deviation: self.deviation.hypot(growth.sqrt()).min(MAX_DEVIATION), ..self }
    }

    /// Returns whether the rating is too uncertain for a comparison with others.
    #[must_use]
    pub fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL_DEVIATION
    }

    /// Returns the estimate as players see it, rounded.
    #[must_use]
    pub fn rounded(self) -> i32 {
        // The cast saturates.
        self.value.round() as i32
    }

    /// Returns the rating with its deviation inside the limits.
    pub(crate) fn limited(self) -> Self {
        Self { deviation: self.deviation.clamp(MIN_DEVIATION, MAX_DEVIATION), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(count: u64) -> Duration {
        Duration::from_secs(count * 86_400)
    }

    #[test]
    fn the_uncertainty_grows_without_matches_up_to_that_of_a_new_player() {
        let regular = Rating { deviation: MIN_DEVIATION, ..Rating::INITIAL };
        assert_eq!(regular.after_pause(Duration::ZERO), regular);
        assert!(!regular.after_pause(days(364)).is_provisional());
        let rusty = regular.after_pause(days(366));
        assert!(rusty.is_provisional());
        assert_eq!(rusty.value, regular.value);
        assert_eq!(regular.after_pause(days(100_000)).deviation, MAX_DEVIATION);
    }

    #[test]
    fn two_pauses_count_as_much_as_one() {
        let regular = Rating { deviation: 80.0, ..Rating::INITIAL };
        let twice = regular.after_pause(days(10)).after_pause(days(20));
        assert!((twice.deviation - regular.after_pause(days(30)).deviation).abs() < 1e-9);
    }
}
