//! Absences on the turn under way, in a Postgres database.

use quadrex_protocol::MatchId;
use time::OffsetDateTime;

use super::{Postgres, datetime, moment};
use crate::StoreError;
use crate::away::{RawAway, TurnAway, spent_column};
use crate::log::count_column;

impl Postgres {
    pub(crate) async fn keep_turn_away(&self, match_id: MatchId, away: &TurnAway) -> Result<(), StoreError> {
        sqlx::query(
            "insert into turn_absences (match_id, basis, spent_ms, since) values ($1, $2, $3, $4)
             on conflict (match_id) do update set basis = excluded.basis, spent_ms = excluded.spent_ms,
                 since = excluded.since where turn_absences.basis <= excluded.basis",
        )
        .bind(match_id.0)
        .bind(count_column(away.basis))
        .bind(spent_column(away.spent))
        .bind(away.since.map(datetime))
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(StoreError::database("keep an absence"))
    }

    pub(crate) async fn turn_away(&self, match_id: MatchId) -> Result<Option<TurnAway>, StoreError> {
        let row: Option<(i64, i64, Option<OffsetDateTime>)> =
            sqlx::query_as("select basis, spent_ms, since from turn_absences where match_id = $1")
                .bind(match_id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::database("look up an absence"))?;
        let Some((basis, spent_ms, since)) = row else { return Ok(None) };
        let since = since.map(|since| moment("turn_absences.since", since)).transpose()?;
        RawAway { basis, spent_ms, since }.read().map(Some)
    }
}
