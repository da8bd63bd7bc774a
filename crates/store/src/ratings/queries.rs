//! Queries of ratings.

use quadrex_protocol::rating::Speed;
use quadrex_protocol::{MatchId, UserId};
use quadrex_ratings::{GROWTH_PER_DAY, PROVISIONAL_DEVIATION, Rating};
use quadrex_rules::{Color, Timestamp, Variant};
use uuid::Uuid;

use super::{RankedUser, RatingChange, RatingKind, RawRating, UserRating};
use crate::database::{Sql, fetch_all, fetch_optional};
use crate::error::unreadable;
use crate::time_column::TimeColumn;
use crate::users::RawUser;
use crate::{Store, StoreError};

/// The ratings of a kind that leaderboards list: those of users with enough matches that are not
/// provisional now.
macro_rules! listed {
    (postgres) => {
        "from ratings join users on id = ratings.user_id
         where variant = $1 and speed = $2 and matches >= $3 and deleted_at is null
           and deviation * deviation
               + $4 * greatest(0, extract(epoch from $5 - updated_at)::double precision) / 86400 <= $6"
    };
    (sqlite) => {
        "from ratings join users on id = ratings.user_id
         where variant = $1 and speed = $2 and matches >= $3 and deleted_at_ms is null
           and deviation * deviation + $4 * max(0, $5 - updated_at_ms) / 86400000.0 <= $6"
    };
}

/// A row of `ratings` with its kind.
#[derive(sqlx::FromRow)]
struct RawKindRating {
    variant: String,
    speed: String,
    #[sqlx(flatten)]
    rating: RawRating,
}

/// A row of `ratings` with its user.
#[derive(sqlx::FromRow)]
struct RawRankedUser {
    #[sqlx(flatten)]
    user: RawUser,
    #[sqlx(flatten)]
    rating: RawRating,
}

/// A row of `rating_changes`. The volatility before the match is not stored, and not shown.
#[derive(sqlx::FromRow)]
pub(super) struct RawRatingChange {
    match_id: Uuid,
    color: String,
    user_id: Uuid,
    at: TimeColumn,
    value_before: f64,
    deviation_before: f64,
    value: f64,
    deviation: f64,
    volatility: f64,
}

/// The query for the changes of ratings by a match.
pub(super) const CHANGES_OF_MATCH: Sql = Sql {
    postgres: "select match_id, color, user_id, at, value_before, deviation_before,
                      value, deviation, volatility from rating_changes where match_id = $1",
    sqlite: "select match_id, color, user_id, at_ms as at, value_before, deviation_before,
                    value, deviation, volatility from rating_changes where match_id = $1",
};

impl RawRatingChange {
    pub(super) fn read(self) -> Result<RatingChange, StoreError> {
        let color = self.color.parse::<Color>();
        let Self { value, deviation, volatility, .. } = self;
        Ok(RatingChange {
            match_id: MatchId(self.match_id),
            color: color.map_err(|_| unreadable("rating_changes.color", &self.color))?,
            user: UserId(self.user_id),
            at: self.at.read("rating_changes.at")?,
            before: Rating { value: self.value_before, deviation: self.deviation_before, volatility },
            after: Rating { value, deviation, volatility },
        })
    }
}

impl Store {
    /// Returns all ratings of a user, in the order of the variants and speeds. Those of a deleted user
    /// are not shown.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn ratings_of_user(&self, user: UserId) -> Result<Vec<(RatingKind, UserRating)>, StoreError> {
        let sql = Sql {
            postgres: "select variant, speed, value, deviation, volatility, matches, updated_at
                       from ratings join users on id = user_id
                       where user_id = $1 and deleted_at is null",
            sqlite: "select variant, speed, value, deviation, volatility, matches,
                            updated_at_ms as updated_at
                     from ratings join users on id = user_id
                     where user_id = $1 and deleted_at_ms is null",
        };
        let rows = fetch_all!(self, RawKindRating, sql, user.0);
        let rows = rows.map_err(StoreError::database("read the ratings of a user"))?;
        let read = |row: RawKindRating| {
            let variant: Result<Variant, _> = row.variant.parse();
            let speed: Result<Speed, _> = row.speed.parse();
            let kind = RatingKind {
                variant: variant.map_err(|_| unreadable("ratings.variant", &row.variant))?,
                speed: speed.map_err(|_| unreadable("ratings.speed", &row.speed))?,
            };
            Ok((kind, row.rating.read()?))
        };
        let mut ratings = rows.into_iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        ratings.sort_unstable_by_key(|(kind, _)| *kind);
        Ok(ratings)
    }

    /// Returns a user's rating of a kind at `now`. Users who have played no such match have the
    /// initial rating.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn current_rating(
        &self,
        user: UserId,
        kind: RatingKind,
        now: Timestamp,
    ) -> Result<Rating, StoreError> {
        let known = self.ratings_of_user(user).await?.into_iter().find(|(known, _)| *known == kind);
        Ok(known.map_or(Rating::INITIAL, |(_, rated)| rated.at(now)))
    }

    /// Returns the users with the best ratings of a kind, at most `max`. Only users with at least
    /// `min_matches` rated matches are listed, and only ratings that are not provisional at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn best_rated(
        &self,
        kind: RatingKind,
        min_matches: u32,
        max: u16,
        now: Timestamp,
    ) -> Result<Vec<RankedUser>, StoreError> {
        let sql = Sql {
            postgres: concat!(
                "select id, name, created_at, bot::text as bot,
                        exists (select 1 from accounts where user_id = users.id) as account,
                        value, deviation, volatility, matches, updated_at ",
                listed!(postgres),
                " order by value desc, id limit $7"
            ),
            sqlite: concat!(
                "select id, name, created_at_ms as created_at, bot,
                        exists (select 1 from accounts where user_id = users.id) as account,
                        value, deviation, volatility, matches, updated_at_ms as updated_at ",
                listed!(sqlite),
                " order by value desc, id limit $7"
            ),
        };
        let rows = fetch_all!(
            self,
            RawRankedUser,
            sql,
            kind.variant.name(),
            kind.speed.name(),
            i64::from(min_matches),
            GROWTH_PER_DAY,
            TimeColumn::from(now),
            PROVISIONAL_DEVIATION * PROVISIONAL_DEVIATION,
            i64::from(max),
        );
        let rows = rows.map_err(StoreError::database("read the best ratings"))?;
        let read = |row: RawRankedUser| Ok(RankedUser { user: row.user.read()?, rating: row.rating.read()? });
        rows.into_iter().map(read).collect()
    }

    /// Returns a user's place among all users whom [`Self::best_rated`] would list without a limit,
    /// from 1. Returns `None` if the user is not among them.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn rank(
        &self,
        user: UserId,
        kind: RatingKind,
        min_matches: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        let sql = Sql {
            postgres: concat!(
                "select place from
                 (select id, row_number() over (order by value desc, id) as place ",
                listed!(postgres),
                ") as listed where id = $7"
            ),
            sqlite: concat!(
                "select place from
                 (select id, row_number() over (order by value desc, id) as place ",
                listed!(sqlite),
                ") where id = $7"
            ),
        };
        let row = fetch_optional!(
            self,
            (i64,),
            sql,
            kind.variant.name(),
            kind.speed.name(),
            i64::from(min_matches),
            GROWTH_PER_DAY,
            TimeColumn::from(now),
            PROVISIONAL_DEVIATION * PROVISIONAL_DEVIATION,
            user.0,
        );
        let row = row.map_err(StoreError::database("read the rank of a user"))?;
        row.map(|(place,)| u32::try_from(place).map_err(|_| unreadable("rank", place.to_string())))
            .transpose()
    }

    /// Returns the changes of a user's rating of a kind in the order of the matches: the newest
    /// ones, at most `max`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn rating_history(
        &self,
        user: UserId,
        kind: RatingKind,
        max: u16,
    ) -> Result<Vec<RatingChange>, StoreError> {
        let sql = Sql {
            postgres: "select match_id, color, user_id, at, value_before, deviation_before,
                              value, deviation, volatility
                       from rating_changes join users on id = user_id
                       where user_id = $1 and variant = $2 and speed = $3 and deleted_at is null
                       order by number desc limit $4",
            sqlite: "select match_id, color, user_id, at_ms as at, value_before, deviation_before,
                            value, deviation, volatility
                     from rating_changes join users on id = user_id
                     where user_id = $1 and variant = $2 and speed = $3 and deleted_at_ms is null
                     order by number desc limit $4",
        };
        let (variant, speed) = (kind.variant.name(), kind.speed.name());
        let rows = fetch_all!(self, RawRatingChange, sql, user.0, variant, speed, i64::from(max));
        let rows = rows.map_err(StoreError::database("read the history of a rating"))?;
        rows.into_iter().rev().map(RawRatingChange::read).collect()
    }

    /// Returns the changes of ratings by a match. Empty if the match is not rated, or not yet.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn rating_changes_of(&self, match_id: MatchId) -> Result<Vec<RatingChange>, StoreError> {
        let rows = fetch_all!(self, RawRatingChange, CHANGES_OF_MATCH, match_id.0);
        let rows = rows.map_err(StoreError::database("read the ratings of a match"))?;
        let mut changes = rows.into_iter().map(RawRatingChange::read).collect::<Result<Vec<_>, _>>()?;
        changes.sort_unstable_by_key(|change| change.color);
        Ok(changes)
    }
}
