//! The pairs of users who spare each other.

use quadrex_protocol::UserId;
use quadrex_protocol::archive::MatchSummary;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::{Acts, count, read_summary};
use crate::Store;
use crate::database::{Sql, fetch_all};
use crate::error::{StoreError, unreadable};
use crate::time_column::TimeColumn;

/// The smallest score of a listed pair: the numbers of such a pair are three standard deviations below
/// the expected ones.
const MIN_SCORE: f64 = 3.0;

/// The largest part of the expected acts that a listed pair has done.
const MAX_PART: f64 = 0.5;

/// Two users with the acts of both against each other in their common matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserPair {
    /// The users. The first one has the smaller id.
    pub users: (UserId, UserId),
    /// The number of matches.
    pub matches: u32,
    /// The number of standard deviations by which all acts are fewer than expected. It is computed
    /// from the differences in the single matches. It is negative if there are more than expected.
    pub score: f64,
    /// The acts of the first user against the second one. The expected numbers consider that users
    /// attack their neighbors and the opposite user with different frequency.
    pub by_first: Acts,
    /// The acts of the second user against the first one.
    pub by_second: Acts,
    /// The end of the last match.
    pub last_at: Timestamp,
}

/// A row of a query for pairs.
#[derive(sqlx::FromRow)]
struct RawPair {
    first_user: Uuid,
    second_user: Uuid,
    matches: i64,
    difference: f64,
    squares: f64,
    last_at: TimeColumn,
    first_captures: i64,
    first_expected_captures: f64,
    first_checks: i64,
    first_expected_checks: f64,
    first_eliminations: i64,
    first_expected_eliminations: f64,
    second_captures: i64,
    second_expected_captures: f64,
    second_checks: i64,
    second_expected_checks: f64,
    second_eliminations: i64,
    second_expected_eliminations: f64,
}

impl RawPair {
    fn read(self) -> Result<UserPair, StoreError> {
        let score = if self.squares > 0.0 { self.difference / self.squares.sqrt() } else { 0.0 };
        Ok(UserPair {
            users: (UserId(self.first_user), UserId(self.second_user)),
            matches: u32::try_from(self.matches).map_err(|_| unreadable("match_pairs", self.matches))?,
            score,
            by_first: Acts {
                captures: count(self.first_captures, self.first_expected_captures)?,
                checks: count(self.first_checks, self.first_expected_checks)?,
                eliminations: count(self.first_eliminations, self.first_expected_eliminations)?,
            },
            by_second: Acts {
                captures: count(self.second_captures, self.second_expected_captures)?,
                checks: count(self.second_checks, self.second_expected_checks)?,
                eliminations: count(self.second_eliminations, self.second_expected_eliminations)?,
            },
            last_at: self.last_at.read("match_pairs.at")?,
        })
    }
}

// The query has these parameters: the time since which matches count, one user and another one
// or null for all pairs, the smallest number of matches, the largest part of the expected acts, the
// square of the smallest score, and the limit. Their numbers of the expected acts are multiplied by a
// factor for neighbors or opposite users, which follows from all matches of the variant.

/// The query for pairs of users, the most conspicuous first.
const PAIRS: Sql = Sql {
    postgres: "
        with recent as (
            select *, captures + checks + eliminations as seen,
                   expected_captures + expected_checks + expected_eliminations as expected
            from match_pairs where at >= $1),
        factors as (
            select variant, is_opposite,
                   sum(seen)::double precision / nullif(sum(expected), 0) as factor
            from recent group by variant, is_opposite),
        acts as (
            select recent.*, coalesce(factor, 1) as factor
            from recent join factors on factors.variant = recent.variant
                and factors.is_opposite = recent.is_opposite),
        pairs as (
            select one.by_user as first_user, one.on_user as second_user, one.at,
                   (one.seen + two.seen)::double precision as seen,
                   one.factor * one.expected + two.factor * two.expected as expected,
                   one.captures as first_captures, one.factor * one.expected_captures as first_expected_captures,
                   one.checks as first_checks, one.factor * one.expected_checks as first_expected_checks,
                   one.eliminations as first_eliminations,
                   one.factor * one.expected_eliminations as first_expected_eliminations,
                   two.captures as second_captures, two.factor * two.expected_captures as second_expected_captures,
                   two.checks as second_checks, two.factor * two.expected_checks as second_expected_checks,
                   two.eliminations as second_eliminations,
                   two.factor * two.expected_eliminations as second_expected_eliminations
            from acts as one join acts as two
                on two.match_id = one.match_id and two.by_user = one.on_user and two.on_user = one.by_user
            where one.by_user < one.on_user
              and ($2::uuid is null or (one.by_user = $2 and one.on_user = $3)))
        select first_user, second_user, count(*) as matches, max(at) as last_at,
               sum(expected - seen) as difference,
               sum((expected - seen) * (expected - seen)) as squares,
               sum(first_captures)::bigint as first_captures,
               sum(first_expected_captures) as first_expected_captures,
               sum(first_checks)::bigint as first_checks, sum(first_expected_checks) as first_expected_checks,
               sum(first_eliminations)::bigint as first_eliminations,
               sum(first_expected_eliminations) as first_expected_eliminations,
               sum(second_captures)::bigint as second_captures,
               sum(second_expected_captures) as second_expected_captures,
               sum(second_checks)::bigint as second_checks, sum(second_expected_checks) as second_expected_checks,
               sum(second_eliminations)::bigint as second_eliminations,
               sum(second_expected_eliminations) as second_expected_eliminations
        from pairs group by first_user, second_user
        having count(*) >= $4
           and ($6 = 0 or (sum(seen) <= $5 * sum(expected) and sum(expected - seen) > 0
                and sum(expected - seen) * sum(expected - seen)
                    >= $6 * sum((expected - seen) * (expected - seen))))
        order by sum(expected - seen) * abs(sum(expected - seen))
                 / greatest(sum((expected - seen) * (expected - seen)), 0.000001) desc,
                 first_user, second_user
        limit $7",
    sqlite: "
        with recent as (
            select *, captures + checks + eliminations as seen,
                   expected_captures + expected_checks + expected_eliminations as expected
            from match_pairs where at_ms >= $1),
        factors as (
            select variant, is_opposite, sum(seen) * 1.0 / nullif(sum(expected), 0) as factor
            from recent group by variant, is_opposite),
        acts as (
            select recent.*, coalesce(factor, 1) as factor
            from recent join factors on factors.variant = recent.variant
                and factors.is_opposite = recent.is_opposite),
        pairs as (
            select one.by_user as first_user, one.on_user as second_user, one.at_ms as at,
                   (one.seen + two.seen) * 1.0 as seen,
                   one.factor * one.expected + two.factor * two.expected as expected,
                   one.captures as first_captures, one.factor * one.expected_captures as first_expected_captures,
                   one.checks as first_checks, one.factor * one.expected_checks as first_expected_checks,
                   one.eliminations as first_eliminations,
                   one.factor * one.expected_eliminations as first_expected_eliminations,
                   two.captures as second_captures, two.factor * two.expected_captures as second_expected_captures,
                   two.checks as second_checks, two.factor * two.expected_checks as second_expected_checks,
                   two.eliminations as second_eliminations,
                   two.factor * two.expected_eliminations as second_expected_eliminations
            from acts as one join acts as two
                on two.match_id = one.match_id and two.by_user = one.on_user and two.on_user = one.by_user
            where one.by_user < one.on_user
              and ($2 is null or (one.by_user = $2 and one.on_user = $3)))
        select first_user, second_user, count(*) as matches, max(at) as last_at,
               sum(expected - seen) as difference,
               sum((expected - seen) * (expected - seen)) as squares,
               sum(first_captures) as first_captures, sum(first_expected_captures) as first_expected_captures,
               sum(first_checks) as first_checks, sum(first_expected_checks) as first_expected_checks,
               sum(first_eliminations) as first_eliminations,
               sum(first_expected_eliminations) as first_expected_eliminations,
               sum(second_captures) as second_captures, sum(second_expected_captures) as second_expected_captures,
               sum(second_checks) as second_checks, sum(second_expected_checks) as second_expected_checks,
               sum(second_eliminations) as second_eliminations,
               sum(second_expected_eliminations) as second_expected_eliminations
        from pairs group by first_user, second_user
        having count(*) >= $4
           and ($6 = 0 or (sum(seen) <= $5 * sum(expected) and sum(expected - seen) > 0
                and sum(expected - seen) * sum(expected - seen)
                    >= $6 * sum((expected - seen) * (expected - seen))))
        order by sum(expected - seen) * abs(sum(expected - seen))
                 / max(sum((expected - seen) * (expected - seen)), 0.000001) desc,
                 first_user, second_user
        limit $7",
};

impl Store {
    /// Returns the pairs of users who spare each other in matches since a time, the most conspicuous
    /// first, at most `limit`. Only pairs with at least `min_matches` common matches are listed whose
    /// acts are at most half of the expected ones, and three standard deviations fewer.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn sparing_pairs(
        &self,
        since: Timestamp,
        min_matches: u16,
        limit: u16,
    ) -> Result<Vec<UserPair>, StoreError> {
        self.pairs(since, None, (min_matches, MAX_PART, MIN_SCORE), limit).await
    }

    /// Returns the statistics of two users, if they have played in the same matches since a time.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn pair_of(
        &self,
        one: UserId,
        other: UserId,
        since: Timestamp,
    ) -> Result<Option<UserPair>, StoreError> {
        let users = (one.min(other), one.max(other));
        Ok(self.pairs(since, Some(users), (1, 0.0, 0.0), 1).await?.into_iter().next())
    }

    async fn pairs(
        &self,
        since: Timestamp,
        users: Option<(UserId, UserId)>,
        (min_matches, max_part, min_score): (u16, f64, f64),
        limit: u16,
    ) -> Result<Vec<UserPair>, StoreError> {
        let rows = fetch_all!(
            self,
            RawPair,
            PAIRS,
            TimeColumn::from(since),
            users.map(|(first, _)| first.0),
            users.map(|(_, second)| second.0),
            i64::from(min_matches),
            max_part,
            min_score * min_score,
            i64::from(limit),
        );
        let rows = rows.map_err(StoreError::database("list pairs of users"))?;
        rows.into_iter().map(RawPair::read).collect()
    }

    /// Returns the rated matches of two users since a time, the newest first, at most `limit`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn matches_of_pair(
        &self,
        one: UserId,
        other: UserId,
        since: Timestamp,
        limit: u16,
    ) -> Result<Vec<MatchSummary>, StoreError> {
        let sql = Sql {
            postgres: "select summary::text from match_pairs as pair
                       join archived_matches as archived on archived.match_id = pair.match_id
                       where by_user = $1 and on_user = $2 and at >= $3
                       order by at desc, pair.match_id limit $4",
            sqlite: "select summary from match_pairs as pair
                     join archived_matches as archived on archived.match_id = pair.match_id
                     where by_user = $1 and on_user = $2 and at_ms >= $3
                     order by at_ms desc, pair.match_id limit $4",
        };
        let rows =
            fetch_all!(self, (String,), sql, one.0, other.0, TimeColumn::from(since), i64::from(limit));
        let rows = rows.map_err(StoreError::database("list the matches of two users"))?;
        rows.into_iter().map(read_summary).collect()
    }
}
