//! The calculation of all ratings from the archive.

use std::collections::BTreeMap;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::{MatchId, UserId};
use quadrex_ratings::Rating;
use uuid::Uuid;

use super::queries::{CHANGES_OF_MATCH, RawRatingChange};
use super::rating::{ADD_TO_LAST, put_change, put_rating};
use super::{RatedMatch, RatingChange, RatingKind, RawRating, UserRating};
use crate::database::{Sql, Transaction, execute_in, fetch_all_in, fetch_one_in};
use crate::error::unreadable;
use crate::{Store, StoreError};

/// The number of matches that are read at once.
const BATCH: i64 = 500;

/// The use of the ratings that are computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recomputation {
    /// They are compared with those in the database.
    Check,
    /// They replace those in the database.
    Replace,
}

/// The result of a recomputation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recomputed {
    /// The number of rated matches.
    pub matches: u64,
    /// The number of changes of ratings that were different in the database.
    pub different_changes: u64,
    /// The number of present ratings that were different in the database.
    pub different_ratings: u64,
}

/// A rated match with its number and its summary.
#[derive(sqlx::FromRow)]
struct RawRatedMatch {
    number: i64,
    match_id: Uuid,
    summary: Option<String>,
}

/// A row of `ratings` with its key.
#[derive(sqlx::FromRow)]
struct RawStoredRating {
    user_id: Uuid,
    variant: String,
    speed: String,
    #[sqlx(flatten)]
    rating: RawRating,
}

impl RawStoredRating {
    fn key(&self) -> Result<(UserId, RatingKind), StoreError> {
        let kind = RatingKind {
            variant: self.variant.parse().map_err(|_| unreadable("ratings.variant", &self.variant))?,
            speed: self.speed.parse().map_err(|_| unreadable("ratings.speed", &self.speed))?,
        };
        Ok((UserId(self.user_id), kind))
    }
}

/// The ratings by user and kind. They are written in this order.
type Ratings = BTreeMap<(UserId, RatingKind), UserRating>;

impl Store {
    /// Computes all ratings again from the archive, in the order in which the matches were rated.
    /// Meanwhile no other match is rated.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or a rated match is not in the archive as a
    /// rated match. Then nothing has changed.
    pub async fn recompute_ratings(&self, mode: Recomputation) -> Result<Recomputed, StoreError> {
        let failed = || StoreError::database("compute the ratings");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let (last,): (i64,) = fetch_one_in!(&mut transaction, (i64,), ADD_TO_LAST, 0_i64).map_err(failed())?;
        let (mut result, mut ratings, mut after) = (Recomputed::default(), Ratings::new(), 0);
        while after < last {
            let matches = matches_after(&mut transaction, after).await.map_err(failed())?;
            let Some(newest) = matches.last() else { break };
            after = newest.number;
            for row in matches {
                result.matches += 1;
                let number = row.number;
                let rated = row.read()?;
                let stored = stored_changes(&mut transaction, rated.match_id).await?;
                for change in rate_again(&rated, &mut ratings) {
                    if stored.iter().any(|stored| is_same(stored, &change)) {
                        continue;
                    }
                    result.different_changes += 1;
                    if mode == Recomputation::Replace {
                        put_change(&mut transaction, rated.kind, number, &change).await.map_err(failed())?;
                    }
                }
            }
        }
        result.different_ratings = compare(&mut transaction, ratings, mode).await?;
        transaction.commit().await.map_err(failed())?;
        Ok(result)
    }
}

impl RawRatedMatch {
    fn read(self) -> Result<RatedMatch, StoreError> {
        let what = "archived_matches.summary";
        let text = self.summary.ok_or_else(|| unreadable(what, format_args!("{}: no row", self.match_id)))?;
        let summary: MatchSummary = serde_json::from_str(&text).map_err(|error| unreadable(what, error))?;
        RatedMatch::of(&summary).ok_or_else(|| unreadable(what, format_args!("{}: not rated", self.match_id)))
    }
}

/// Returns the next rated matches after the match with this number.
async fn matches_after(
    transaction: &mut Transaction,
    number: i64,
) -> Result<Vec<RawRatedMatch>, sqlx::Error> {
    let sql = Sql {
        postgres: "select number, rated.match_id, summary::text as summary
                   from (select distinct number, match_id from rating_changes where number > $1
                         order by number limit $2) as rated
                   left join archived_matches as archived on archived.match_id = rated.match_id
                   order by number",
        sqlite: "select number, rated.match_id as match_id, summary
                 from (select distinct number, match_id from rating_changes where number > $1
                       order by number limit $2) as rated
                 left join archived_matches as archived on archived.match_id = rated.match_id
                 order by number",
    };
    fetch_all_in!(&mut *transaction, RawRatedMatch, sql, number, BATCH)
}

/// Returns the changes of ratings by a match, and applies them to the ratings.
fn rate_again(rated: &RatedMatch, ratings: &mut Ratings) -> Vec<RatingChange> {
    let changes = rated.changes(|user| ratings.get(&(user, rated.kind)).copied());
    let apply = |(change, rating): (RatingChange, UserRating)| {
        ratings.insert((change.user, rated.kind), rating);
        change
    };
    changes.into_iter().map(apply).collect()
}

/// Returns the changes of ratings by a match as the database has them.
async fn stored_changes(
    transaction: &mut Transaction,
    match_id: MatchId,
) -> Result<Vec<RatingChange>, StoreError> {
    let rows = fetch_all_in!(&mut *transaction, RawRatingChange, CHANGES_OF_MATCH, match_id.0);
    let rows = rows.map_err(StoreError::database("read the ratings of a match"))?;
    rows.into_iter().map(RawRatingChange::read).collect()
}

/// Returns whether a stored change is the same. The volatility before a match is not stored.
fn is_same(stored: &RatingChange, change: &RatingChange) -> bool {
    let before = Rating { volatility: change.before.volatility, ..stored.before };
    RatingChange { before, ..*stored } == *change
}

/// Returns how many ratings in the database differ from these, and replaces them if so requested.
async fn compare(
    transaction: &mut Transaction,
    mut computed: Ratings,
    mode: Recomputation,
) -> Result<u64, StoreError> {
    let failed = || StoreError::database("compare the ratings");
    let sql = Sql {
        postgres: "select user_id, variant, speed, value, deviation, volatility, matches, updated_at
                   from ratings order by user_id, variant, speed",
        sqlite: "select user_id, variant, speed, value, deviation, volatility, matches,
                        updated_at_ms as updated_at from ratings
                 order by user_id, variant, speed",
    };
    let mut superfluous = Vec::new();
    for row in fetch_all_in!(&mut *transaction, RawStoredRating, sql).map_err(failed())? {
        let key = row.key()?;
        let stored = row.rating.read()?;
        match computed.get(&key) {
            None => superfluous.push(key),
            Some(computed_rating) if *computed_rating == stored => drop(computed.remove(&key)),
            Some(_) => {}
        }
    }
    let different = (superfluous.len() + computed.len()) as u64;
    if mode == Recomputation::Replace {
        let remove = Sql::both("delete from ratings where user_id = $1 and variant = $2 and speed = $3");
        for (user, kind) in superfluous {
            let (variant, speed) = (kind.variant.name(), kind.speed.name());
            execute_in!(&mut *transaction, remove, user.0, variant, speed).map_err(failed())?;
        }
        for ((user, kind), rating) in computed {
            put_rating(transaction, kind, user, &rating).await.map_err(failed())?;
        }
    }
    Ok(different)
}
