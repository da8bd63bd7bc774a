//! The heartbeat: the last time at which a server is known to have run.

use quadrex_rules::Timestamp;

use super::database::{Sql, execute, fetch_optional};
use super::time_column::TimeColumn;
use super::{Store, StoreError};

impl Store {
    /// Records that a server on this database runs at the time `at`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot record it.
    pub async fn record_heartbeat(&self, at: Timestamp) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into server_life (id, alive_at) values (1, $1)
                       on conflict (id) do update set alive_at = excluded.alive_at",
            sqlite: "insert into server_life (id, alive_at_ms) values (1, $1)
                     on conflict (id) do update set alive_at_ms = excluded.alive_at_ms",
        };
        execute!(self, sql, TimeColumn::from(at))
            .map(drop)
            .map_err(StoreError::database("record a heartbeat"))
    }

    /// Returns the last time at which a server on this database is known to have run.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn last_heartbeat(&self) -> Result<Option<Timestamp>, StoreError> {
        let sql = Sql {
            // The nodes of a cluster have their heartbeats in their own rows. On SQLite, only those of
            // simulations have.
            postgres: "select max(alive_at) from
                       (select alive_at from server_life union all select alive_at from nodes) as beats",
            sqlite: "select max(alive_at_ms) from
                     (select alive_at_ms from server_life union all select alive_at_ms from nodes)",
        };
        let row = fetch_optional!(self, (Option<TimeColumn>,), sql);
        let row = row.map_err(StoreError::database("look up the last heartbeat"))?;
        row.and_then(|(at,)| at).map(|at| at.read("server_life.alive_at")).transpose()
    }
}
