//! Pairs of users who spare each other in rated matches, for operators.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::http::{ActsAgainst, PairCount, PairDetails, PairView};
use quadrex_protocol::user::UserView;
use quadrex_rules::Timestamp;
use quadrex_store::{Acts, PairActs, StoreError, UserPair};

use super::FairPlay;

/// The time for which matches count.
const COUNTED: Duration = Duration::from_secs(180 * 86_400);

/// The number of matches in the details of a pair.
const MATCHES: u16 = 50;

impl FairPlay {
    /// Returns the pairs of users who spare each other, the most conspicuous first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn sparing_pairs(&self, limit: u16, now: Timestamp) -> Result<Vec<PairView>, StoreError> {
        let min_matches = self.config.pair_min_matches;
        let mut pairs = Vec::new();
        for pair in self.store.sparing_pairs(now - COUNTED, min_matches, limit).await? {
            pairs.extend(self.pair_view(&pair).await?);
        }
        Ok(pairs)
    }

    /// Returns the statistics and the matches of two users. Returns `None` if they have no common
    /// match that counts.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn pair(
        &self,
        one: UserId,
        other: UserId,
        now: Timestamp,
    ) -> Result<Option<PairDetails>, StoreError> {
        let since = now - COUNTED;
        let Some(pair) = self.store.pair_of(one, other, since).await? else { return Ok(None) };
        let Some(pair) = self.pair_view(&pair).await? else { return Ok(None) };
        let matches = self.store.matches_of_pair(one, other, since, MATCHES).await?;
        Ok(Some(PairDetails { pair, matches }))
    }

    /// Returns what a user has done to opponents in each match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn acts_by(&self, user: UserId) -> Result<Vec<ActsAgainst>, StoreError> {
        let acts = self.store.pair_acts_by(user).await?.into_iter();
        let against = |(match_id, pair): (_, PairActs)| ActsAgainst {
            match_id,
            user: pair.on,
            count: view_of(&pair.acts),
        };
        Ok(acts.map(against).collect())
    }

    async fn pair_view(&self, pair: &UserPair) -> Result<Option<PairView>, StoreError> {
        let (a, b) = pair.users;
        let (Some(a), Some(b)) = (self.user(a).await?, self.user(b).await?) else { return Ok(None) };
        Ok(Some(PairView {
            a,
            b,
            matches: pair.matches,
            spares: rounded(pair.score),
            a_to_b: view_of(&pair.by_first),
            b_to_a: view_of(&pair.by_second),
            last_ms: pair.last_at.as_millis(),
        }))
    }

    async fn user(&self, user: UserId) -> Result<Option<UserView>, StoreError> {
        Ok(self.store.user(user).await?.map(|user| user.view()))
    }
}

fn view_of(acts: &Acts) -> PairCount {
    PairCount {
        captures: acts.captures.seen,
        expected_captures: rounded(acts.captures.expected),
        checks: acts.checks.seen,
        expected_checks: rounded(acts.checks.expected),
        eliminations: acts.eliminations.seen,
        expected_eliminations: rounded(acts.eliminations.expected),
    }
}

/// Returns a number with two digits after the point.
fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0
}
