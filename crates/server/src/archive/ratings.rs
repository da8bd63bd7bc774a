//! Ratings as clients see them.

use std::collections::BTreeMap;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::rating::{
    Leaderboard, MatchRatings, RankedPlayer, RatingHistory, RatingPoint, RatingView, SeatRating,
};
use quadrex_protocol::{MatchId, UserId};
use quadrex_ratings::{Rating, expected_places};
use quadrex_rules::{Color, Timestamp};
use quadrex_store::{RatingKind, StoreError};

use super::Archive;

/// The number of rated matches from which on a player is listed among the best ones.
const MIN_MATCHES: u32 = 10;

/// The largest number of players in a leaderboard.
const MAX_PLAYERS: u16 = 100;

/// The largest number of points in the history of a rating.
const MAX_POINTS: u16 = 1_000;

fn rounded_deviation(rating: Rating) -> u32 {
    rating.deviation.round() as u32
}

impl Archive {
    /// Returns a user's ratings at `now`, by variant and speed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn ratings_of(&self, user: UserId, now: Timestamp) -> Result<Vec<RatingView>, StoreError> {
        let view = |(kind, rated): (RatingKind, quadrex_store::UserRating)| {
            let rating = rated.at(now);
            RatingView {
                variant: kind.variant,
                speed: kind.speed,
                rating: rating.rounded(),
                deviation: rounded_deviation(rating),
                provisional: rating.is_provisional(),
                matches: rated.matches,
            }
        };
        Ok(self.store.ratings_of_user(user).await?.into_iter().map(view).collect())
    }

    /// Returns the players with the best ratings of a kind at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn leaderboard(&self, kind: RatingKind, now: Timestamp) -> Result<Leaderboard, StoreError> {
        let best = self.store.best_rated(kind, MIN_MATCHES, MAX_PLAYERS, now).await?;
        let player = |ranked: quadrex_store::RankedUser| RankedPlayer {
            user: ranked.user.view(),
            rating: ranked.rating.rating.rounded(),
            matches: ranked.rating.matches,
        };
        Ok(Leaderboard { players: best.into_iter().map(player).collect() })
    }

    /// Returns the history of a user's rating of a kind, and the user's rank at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn rating_history(
        &self,
        user: UserId,
        kind: RatingKind,
        now: Timestamp,
    ) -> Result<RatingHistory, StoreError> {
        let rank = self.store.rank(user, kind, MIN_MATCHES, now).await?;
        let changes = self.store.rating_history(user, kind, MAX_POINTS).await?;
        let point = |change: quadrex_store::RatingChange| RatingPoint {
            at_ms: change.at.as_millis(),
            rating: change.after.rounded(),
            deviation: rounded_deviation(change.after),
        };
        Ok(RatingHistory { rank, points: changes.into_iter().map(point).collect() })
    }

    /// Returns the ratings of the players of a match: before and after it, or those at `now` if it
    /// still runs. Empty if the match is not rated.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn ratings_in(&self, match_id: MatchId, now: Timestamp) -> Result<MatchRatings, StoreError> {
        self.catch_up().await;
        let changes = self.store.rating_changes_of(match_id).await?;
        let before: BTreeMap<Color, Rating> = if changes.is_empty() {
            match self.store.archived_match(match_id).await? {
                Some(archived) => self.current_ratings(&archived.summary, now).await?,
                None => BTreeMap::new(),
            }
        } else {
            changes.iter().map(|change| (change.color, change.before)).collect()
        };
        let ratings: Vec<Rating> = before.values().copied().collect();
        let places = expected_places(&ratings);
        let seat = |((color, before), expected_place): ((Color, Rating), f64)| {
            let change = changes.iter().find(|change| change.color == color);
            SeatRating {
                color,
                before: before.rounded(),
                provisional: before.is_provisional(),
                expected_place,
                after: change.map(|change| change.after.rounded()),
            }
        };
        Ok(MatchRatings { seats: before.into_iter().zip(places).map(seat).collect() })
    }

    /// Returns the present ratings of the players of a rated match that still runs. Returns none if the
    /// names of the players are hidden, because a rating would show who plays.
    async fn current_ratings(
        &self,
        summary: &MatchSummary,
        now: Timestamp,
    ) -> Result<BTreeMap<Color, Rating>, StoreError> {
        let kind = RatingKind::of(summary.variant, summary.time);
        let Some(kind) = kind.filter(|_| summary.rated && summary.ended_at_ms.is_none()) else {
            return Ok(BTreeMap::new());
        };
        let mut ratings = BTreeMap::new();
        for seat in &summary.seats {
            let Some(user) = seat.user.as_ref().filter(|user| !user.anonymous) else { continue };
            ratings.insert(seat.color, self.store.current_rating(user.id, kind, now).await?);
        }
        Ok(ratings)
    }
}
