//! The rated matches that users have left before the end.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute_in, fetch_all};
use super::error::StoreError;
use super::time_column::TimeColumn;

/// The moment at which a user has left a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leave {
    /// The user.
    pub user: UserId,
    /// The time.
    pub at: Timestamp,
}

/// The rated matches of a user, as far as they count for the wait of users who leave matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatedConduct {
    /// The times at which the user has left rated matches, in order.
    pub left: Vec<Timestamp>,
    /// The ends of the rated matches that the user has not left, in order. Empty if the user has
    /// left none.
    pub finished: Vec<Timestamp>,
}

/// Records the users who have left a match. The first time stays.
pub(super) async fn put_leaves(
    transaction: &mut Transaction,
    match_id: MatchId,
    leaves: &[Leave],
) -> Result<(), sqlx::Error> {
    let sql = Sql {
        postgres: "insert into match_leaves (user_id, match_id, left_at) values ($1, $2, $3)
                   on conflict (user_id, match_id) do nothing",
        sqlite: "insert into match_leaves (user_id, match_id, left_at_ms) values ($1, $2, $3)
                 on conflict (user_id, match_id) do nothing",
    };
    for leave in leaves {
        execute_in!(&mut *transaction, sql, leave.user.0, match_id.0, TimeColumn::from(leave.at))?;
    }
    Ok(())
}

impl Store {
    /// Returns the rated matches that a user has left, and those that the user has finished, since a
    /// time.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn rated_conduct(&self, user: UserId, since: Timestamp) -> Result<RatedConduct, StoreError> {
        let left = Sql {
            postgres: "select left_at from match_leaves where user_id = $1 and left_at >= $2
                       order by left_at",
            sqlite: "select left_at_ms from match_leaves where user_id = $1 and left_at_ms >= $2
                     order by left_at_ms",
        };
        let left = self.times(left, user, since, "match_leaves.left_at").await?;
        if left.is_empty() {
            return Ok(RatedConduct::default());
        }
        let finished = Sql {
            postgres: "select at from rating_changes as change
                       where user_id = $1 and at >= $2
                         and not exists (select 1 from match_leaves as leave
                                         where leave.user_id = $1 and leave.match_id = change.match_id)
                       order by at",
            sqlite: "select at_ms from rating_changes as change
                     where user_id = $1 and at_ms >= $2
                       and not exists (select 1 from match_leaves as leave
                                       where leave.user_id = $1 and leave.match_id = change.match_id)
                     order by at_ms",
        };
        let finished = self.times(finished, user, since, "rating_changes.at").await?;
        Ok(RatedConduct { left, finished })
    }

    /// Returns all rated matches that a user has left, each with the time, the last one first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn left_matches(&self, user: UserId) -> Result<Vec<(MatchId, Timestamp)>, StoreError> {
        let sql = Sql {
            postgres: "select match_id, left_at from match_leaves where user_id = $1
                       order by left_at desc, match_id",
            sqlite: "select match_id, left_at_ms from match_leaves where user_id = $1
                     order by left_at_ms desc, match_id",
        };
        let rows = fetch_all!(self, (Uuid, TimeColumn), sql, user.0);
        let rows = rows.map_err(StoreError::database("list the rated matches that a user has left"))?;
        let read =
            |(match_id, at): (Uuid, TimeColumn)| Ok((MatchId(match_id), at.read("match_leaves.left_at")?));
        rows.into_iter().map(read).collect()
    }

    async fn times(
        &self,
        sql: Sql,
        user: UserId,
        since: Timestamp,
        column: &'static str,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let rows = fetch_all!(self, (TimeColumn,), sql, user.0, TimeColumn::from(since));
        let rows = rows.map_err(StoreError::database("look up the rated matches that a user has left"))?;
        rows.into_iter().map(|(at,)| at.read(column)).collect()
    }
}
