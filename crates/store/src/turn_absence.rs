//! Storage of a [`TurnAbsence`], the only fact of a running match that is not in its log.

use std::time::Duration;

use quadrex_protocol::{MatchId, TurnAbsence};

use super::database::{Sql, execute, fetch_optional};
use super::error::unreadable;
use super::log::count_column;
use super::time_column::TimeColumn;
use super::{Store, StoreError};

/// A row of `turn_absences` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawTurnAbsence {
    basis: i64,
    spent_ms: i64,
    since: Option<TimeColumn>,
}

impl RawTurnAbsence {
    fn read(self) -> Result<TurnAbsence, StoreError> {
        let Self { basis, spent_ms, since } = self;
        let basis = u64::try_from(basis).map_err(|_| unreadable("turn_absences.basis", basis))?;
        let spent = u64::try_from(spent_ms).map_err(|_| unreadable("turn_absences.spent_ms", spent_ms))?;
        let since = since.map(|since| since.read("turn_absences.since")).transpose()?;
        Ok(TurnAbsence { basis, spent: Duration::from_millis(spent), since })
    }
}

impl Store {
    /// Stores the absence of the player to move in the current turn of a match. `away` replaces the
    /// stored absence, unless the stored absence has a later `basis`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such match.
    pub async fn set_turn_absence(&self, match_id: MatchId, away: &TurnAbsence) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into turn_absences (match_id, basis, spent_ms, since) values ($1, $2, $3, $4)
                       on conflict (match_id) do update
                       set basis = excluded.basis, spent_ms = excluded.spent_ms, since = excluded.since
                       where turn_absences.basis <= excluded.basis",
            sqlite: "insert into turn_absences (match_id, basis, spent_ms, since_ms) values ($1, $2, $3, $4)
                     on conflict (match_id) do update
                     set basis = excluded.basis, spent_ms = excluded.spent_ms, since_ms = excluded.since_ms
                     where turn_absences.basis <= excluded.basis",
        };
        let spent_ms = i64::try_from(away.spent.as_millis()).unwrap_or(i64::MAX);
        let since = away.since.map(TimeColumn::from);
        let insert_result = execute!(self, sql, match_id.0, count_column(away.basis), spent_ms, since);
        insert_result.map(drop).map_err(StoreError::database("record an absence"))
    }

    /// Returns the stored absence of a match. Most matches have none.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn turn_absence(&self, match_id: MatchId) -> Result<Option<TurnAbsence>, StoreError> {
        let sql = Sql {
            postgres: "select basis, spent_ms, since from turn_absences where match_id = $1",
            sqlite: "select basis, spent_ms, since_ms as since from turn_absences where match_id = $1",
        };
        let row = fetch_optional!(self, RawTurnAbsence, sql, match_id.0);
        row.map_err(StoreError::database("look up an absence"))?.map(RawTurnAbsence::read).transpose()
    }
}
