//! The acts of the players of a match in the database.

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::{MatchId, UserId};
use uuid::Uuid;

use super::{Acts, PairActs, count, read_summary};
use crate::Store;
use crate::database::{Sql, Transaction, execute_in, fetch_all};
use crate::error::StoreError;
use crate::ratings::RatedMatch;
use crate::time_column::TimeColumn;

/// A row of `match_pairs` without its match.
#[derive(sqlx::FromRow)]
struct RawPairActs {
    by_user: Uuid,
    on_user: Uuid,
    is_opposite: bool,
    captures: i64,
    expected_captures: f64,
    checks: i64,
    expected_checks: f64,
    eliminations: i64,
    expected_eliminations: f64,
}

/// A row of `match_pairs`.
#[derive(sqlx::FromRow)]
struct RawActsOfMatch {
    match_id: Uuid,
    #[sqlx(flatten)]
    acts: RawPairActs,
}

impl RawPairActs {
    fn read(self) -> Result<PairActs, StoreError> {
        Ok(PairActs {
            by: UserId(self.by_user),
            on: UserId(self.on_user),
            is_opposite: self.is_opposite,
            acts: Acts {
                captures: count(self.captures, self.expected_captures)?,
                checks: count(self.checks, self.expected_checks)?,
                eliminations: count(self.eliminations, self.expected_eliminations)?,
            },
        })
    }
}

impl Store {
    /// Returns the rated matches that have ended, ordered by id, after the id `after`, at most
    /// `limit`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn ended_rated_matches(
        &self,
        after: Option<MatchId>,
        limit: u16,
    ) -> Result<Vec<MatchSummary>, StoreError> {
        let sql = Sql {
            postgres: "select summary::text from archived_matches
                       where phase = 'ended' and summary ->> 'rated' = 'true'
                         and ($1::uuid is null or match_id > $1) order by match_id limit $2",
            sqlite: "select summary from archived_matches
                     where phase = 'ended' and summary ->> '$.rated' = 1
                       and ($1 is null or match_id > $1) order by match_id limit $2",
        };
        let rows = fetch_all!(self, (String,), sql, after.map(|after| after.0), i64::from(limit));
        let rows = rows.map_err(StoreError::database("list rated matches"))?;
        rows.into_iter().map(read_summary).collect()
    }

    /// Returns the acts of the players of a match, in the order of their ids.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn pair_acts_of(&self, match_id: MatchId) -> Result<Vec<PairActs>, StoreError> {
        let sql = Sql::both(
            "select by_user, on_user, is_opposite, captures, expected_captures, checks, expected_checks,
                    eliminations, expected_eliminations
             from match_pairs where match_id = $1 order by by_user, on_user",
        );
        let rows = fetch_all!(self, RawPairActs, sql, match_id.0);
        let rows = rows.map_err(StoreError::database("read the acts of players"))?;
        rows.into_iter().map(RawPairActs::read).collect()
    }

    /// Returns the acts of a user against others, by match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn pair_acts_by(&self, user: UserId) -> Result<Vec<(MatchId, PairActs)>, StoreError> {
        let sql = Sql::both(
            "select match_id, by_user, on_user, is_opposite, captures, expected_captures, checks,
                    expected_checks, eliminations, expected_eliminations
             from match_pairs where by_user = $1 order by match_id, on_user",
        );
        let rows = fetch_all!(self, RawActsOfMatch, sql, user.0);
        let rows = rows.map_err(StoreError::database("read the acts of a player"))?;
        rows.into_iter().map(|row| Ok((MatchId(row.match_id), row.acts.read()?))).collect()
    }

    /// Replaces the acts of the players of a match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. Then nothing has changed.
    pub async fn replace_pair_acts(
        &self,
        summary: &MatchSummary,
        pairs: &[PairActs],
    ) -> Result<(), StoreError> {
        let replaced = async {
            let mut transaction = self.database.begin().await?;
            let remove = Sql::both("delete from match_pairs where match_id = $1");
            execute_in!(&mut transaction, remove, summary.match_id.0)?;
            put_pair_acts(&mut transaction, summary, pairs).await?;
            transaction.commit().await
        };
        replaced.await.map_err(StoreError::database("write the acts of players"))
    }
}

/// Writes the acts of the players of a match that has just been archived as ended, if it counts for
/// ratings. Acts that are written already stay. Those of deleted users are not written.
pub(crate) async fn put_pair_acts(
    transaction: &mut Transaction,
    summary: &MatchSummary,
    pairs: &[PairActs],
) -> Result<(), sqlx::Error> {
    let Some(rated) = RatedMatch::of(summary) else { return Ok(()) };
    let sql = Sql {
        postgres: "insert into match_pairs (match_id, by_user, on_user, variant, is_opposite, at, captures,
                       expected_captures, checks, expected_checks, eliminations, expected_eliminations)
                   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
                   where not exists (select 1 from users where id in ($2, $3) and deleted_at is not null)
                   on conflict (match_id, by_user, on_user) do nothing",
        sqlite: "insert into match_pairs (match_id, by_user, on_user, variant, is_opposite, at_ms, captures,
                     expected_captures, checks, expected_checks, eliminations, expected_eliminations)
                 select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
                 where not exists (select 1 from users where id in ($2, $3) and deleted_at_ms is not null)
                 on conflict (match_id, by_user, on_user) do nothing",
    };
    for PairActs { by, on, is_opposite, acts } in pairs {
        let Acts { captures, checks, eliminations } = acts;
        execute_in!(
            &mut *transaction,
            sql,
            rated.match_id.0,
            by.0,
            on.0,
            rated.kind.variant.name(),
            *is_opposite,
            TimeColumn::from(rated.at),
            i64::from(captures.seen),
            captures.expected,
            i64::from(checks.seen),
            checks.expected,
            i64::from(eliminations.seen),
            eliminations.expected,
        )?;
    }
    Ok(())
}
