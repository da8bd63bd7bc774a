//! Ratings of users, by variant and speed. They are derived from the archive: a rated match is rated
//! in the transaction that archives it, and all matches can be rated again in the same order.

mod queries;
mod rated_match;
mod rating;
mod recomputation;

use quadrex_protocol::rating::Speed;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{MatchId, UserId};
use quadrex_ratings::Rating;
use quadrex_rules::{Color, Timestamp, Variant};

pub use rated_match::RatedMatch;
pub(super) use rating::rate_in;
pub use recomputation::{Recomputation, Recomputed};

use crate::error::unreadable;
use crate::time_column::TimeColumn;
use crate::{StoreError, User};

/// The kind of matches for which a user has a rating of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingKind {
    /// The variant.
    pub variant: Variant,
    /// The speed.
    pub speed: Speed,
}

impl RatingKind {
    /// Returns the kind of the matches with this variant and this time control, or `None` if they
    /// have no clocks.
    #[must_use]
    pub fn of(variant: Variant, time: TimeSetting) -> Option<Self> {
        Speed::of(time).map(|speed| Self { variant, speed })
    }
}

/// A user's rating after the user's last rated match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserRating {
    /// The rating after this match.
    pub rating: Rating,
    /// The number of rated matches.
    pub matches: u32,
    /// The end of the last rated match.
    pub updated_at: Timestamp,
}

impl UserRating {
    /// Returns the rating at a later time. Its uncertainty grows while the user does not play.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Rating {
        self.rating.after_pause(now.since(self.updated_at))
    }
}

/// The change of a player's rating by a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingChange {
    /// The match.
    pub match_id: MatchId,
    /// The player's seat.
    pub color: Color,
    /// The player.
    pub user: UserId,
    /// The end of the match.
    pub at: Timestamp,
    /// The rating before the match.
    pub before: Rating,
    /// The rating after the match.
    pub after: Rating,
}

/// A user in the list of the users with the best ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedUser {
    /// The user.
    pub user: User,
    /// The rating.
    pub rating: UserRating,
}

/// A row of `ratings` as the databases return it.
#[derive(Clone, Copy, sqlx::FromRow)]
struct RawRating {
    value: f64,
    deviation: f64,
    volatility: f64,
    matches: i64,
    updated_at: TimeColumn,
}

impl RawRating {
    fn read(self) -> Result<UserRating, StoreError> {
        let Self { value, deviation, volatility, matches, updated_at } = self;
        Ok(UserRating {
            rating: Rating { value, deviation, volatility },
            matches: u32::try_from(matches).map_err(|_| unreadable("ratings.matches", matches))?,
            updated_at: updated_at.read("ratings.updated_at")?,
        })
    }
}
