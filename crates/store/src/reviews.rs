//! Reviews of matches that have ended, and the queue of reviews that are not made yet. In the
//! queue, requested reviews come before automatic ones.

use quadrex_protocol::MatchId;
use quadrex_protocol::review::Review;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, fetch_all, fetch_optional};
use super::error::{StoreError, unreadable};
use super::time_column::TimeColumn;

/// A review in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredReview {
    /// The review is in the queue.
    Waiting {
        /// The number of reviews that come before this one.
        ahead: u32,
        /// True if nobody has requested the review.
        automatic: bool,
    },
    /// The review is finished.
    Done(Review),
}

/// A row of `reviews` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawReview {
    review: Option<String>,
    ahead: i64,
    automatic: bool,
}

impl RawReview {
    fn read(self) -> Result<StoredReview, StoreError> {
        let Some(text) = self.review else {
            let ahead = u32::try_from(self.ahead).unwrap_or(u32::MAX);
            return Ok(StoredReview::Waiting { ahead, automatic: self.automatic });
        };
        serde_json::from_str(&text)
            .map(StoredReview::Done)
            .map_err(|error| unreadable("reviews.review", error))
    }
}

impl Store {
    /// Adds a match to the queue of requested reviews. If the match is in the automatic queue, it
    /// moves to the requested queue. Returns false and changes nothing if the match has a review or
    /// is in the requested queue already, or if this queue contains `max` matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such match.
    pub async fn request_review(
        &self,
        match_id: MatchId,
        at: Timestamp,
        max: u32,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "
                insert into reviews as known (match_id, requested_at, automatic) select $1::uuid, $2::timestamptz, false
                where (select count(*) from reviews where review is null and not automatic) < $3
                on conflict (match_id)
                do update set requested_at = excluded.requested_at, automatic = false
                where known.review is null and known.automatic",
            sqlite: "
                insert into reviews as known (match_id, requested_at_ms, automatic) select $1, $2, 0
                where (select count(*) from reviews where review is null and not automatic) < $3
                on conflict (match_id)
                do update set requested_at_ms = excluded.requested_at_ms, automatic = 0
                where known.review is null and known.automatic",
        };
        let added = execute!(self, sql, match_id.0, TimeColumn::from(at), i64::from(max));
        Ok(added.map_err(StoreError::database("request a review"))? > 0)
    }

    /// Adds a match to the queue of automatic reviews. Returns false and adds nothing if the match
    /// has a review or waits for one already, or if `max` matches wait for an automatic review.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such match.
    pub async fn queue_automatic_review(
        &self,
        match_id: MatchId,
        at: Timestamp,
        max: u32,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "insert into reviews (match_id, requested_at, automatic) select $1::uuid, $2::timestamptz, true
                       where (select count(*) from reviews where review is null and automatic) < $3
                       on conflict (match_id) do nothing",
            sqlite: "insert into reviews (match_id, requested_at_ms, automatic) select $1, $2, 1
                     where (select count(*) from reviews where review is null and automatic) < $3
                     on conflict (match_id) do nothing",
        };
        let added = execute!(self, sql, match_id.0, TimeColumn::from(at), i64::from(max));
        Ok(added.map_err(StoreError::database("queue a review"))? > 0)
    }

    /// Returns the review of a match, if there is one or the match waits for it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn review(&self, match_id: MatchId) -> Result<Option<StoredReview>, StoreError> {
        let sql = Sql {
            postgres: "
                select review::text as review, automatic,
                       (select count(*) from reviews as other
                        where other.review is null and own.review is null
                          and (other.automatic, other.requested_at, other.match_id)
                            < (own.automatic, own.requested_at, own.match_id)) as ahead
                from reviews as own where match_id = $1",
            sqlite: "
                select review, automatic,
                       (select count(*) from reviews as other
                        where other.review is null and own.review is null
                          and (other.automatic, other.requested_at_ms, other.match_id)
                            < (own.automatic, own.requested_at_ms, own.match_id)) as ahead
                from reviews as own where match_id = $1",
        };
        let row = fetch_optional!(self, RawReview, sql, match_id.0);
        row.map_err(StoreError::database("look up a review"))?.map(RawReview::read).transpose()
    }

    /// Returns the match whose review is made next.    /// Returns the matches that wait for their reviews, at most `max`, in the order in which the
    /// reviews are made: those that have waited longest for a requested review come first, and then
    /// those with an automatic one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn waiting_reviews(&self, max: u16) -> Result<Vec<MatchId>, StoreError> {
        let sql = Sql {
            postgres: "select match_id from reviews where review is null
                       order by automatic, requested_at, match_id limit $1",
            sqlite: "select match_id from reviews where review is null
                     order by automatic, requested_at_ms, match_id limit $1",
        };
        let rows = fetch_all!(self, (Uuid,), sql, i64::from(max));
        let rows = rows.map_err(StoreError::database("look for reviews to make"))?;
        Ok(rows.into_iter().map(|(match_id,)| MatchId(match_id)).collect())
    }

    /// Stores the review of a match that waits for its review. Returns false and changes nothing if
    /// the match does not wait, because another process has made its review.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The caller may then store the review again.
    pub async fn finish_review(&self, match_id: MatchId, review: &Review) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update reviews set review = $2::jsonb where match_id = $1 and review is null",
            sqlite: "update reviews set review = $2 where match_id = $1 and review is null",
        };
        let text = serde_json::to_string(review).expect("a review is plain JSON");
        let finished = execute!(self, sql, match_id.0, text.as_str());
        Ok(finished.map_err(StoreError::database("store a review"))? > 0)
    }

    /// Removes a match whose review cannot be made from the queue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The request may then still exist.
    pub async fn remove_review_request(&self, match_id: MatchId) -> Result<(), StoreError> {
        let sql = Sql::both("delete from reviews where match_id = $1 and review is null");
        let removed = execute!(self, sql, match_id.0);
        removed.map(drop).map_err(StoreError::database("remove the request for a review"))
    }
}
