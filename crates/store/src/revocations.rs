//! The record of revoked rights, by which the servers of a cluster learn of revocations.

use std::time::Duration;

use quadrex_rules::Timestamp;

use super::Store;
use super::database::{Sql, Transaction, execute_in, fetch_all, fetch_optional};
use super::error::StoreError;
use super::secret_hash::SecretHash;
use super::sessions::read_hash;
use super::time_column::TimeColumn;

/// The number of attempts to record a revocation while other servers record others.
const ATTEMPTS: u32 = 30;

/// The time for which a revocation stays recorded. Servers read it within seconds.
const LIFETIME: Duration = Duration::from_secs(3_600);

/// A right that was revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revocation {
    /// A session has ended.
    Session(SecretHash),
}

impl Transaction {
    /// Records a revocation for all servers on the database, and removes the old ones.
    pub(super) async fn record_revocation(
        &mut self,
        revocation: Revocation,
        now: Timestamp,
    ) -> Result<(), sqlx::Error> {
        let Revocation::Session(SecretHash(key)) = revocation;
        let sql = Sql {
            postgres: "insert into revocations (seq, kind, key, at)
                       select coalesce(max(seq), 0) + 1, 'session', $1, $2 from revocations",
            sqlite: "insert into revocations (seq, kind, key, at_ms)
                     select coalesce(max(seq), 0) + 1, 'session', $1, $2 from revocations",
        };
        execute_in!(&mut *self, sql, key.as_slice(), TimeColumn::from(now))?;
        // The last row stays, so that the numbers go on.
        let sql = Sql {
            postgres: "delete from revocations
                       where at < $1 and seq < (select max(seq) from revocations)",
            sqlite: "delete from revocations
                     where at_ms < $1 and seq < (select max(seq) from revocations)",
        };
        execute_in!(&mut *self, sql, TimeColumn::from(now - LIFETIME)).map(drop)
    }
}

/// The further attempts at a transaction that records revocations, which fails if another server
/// records one at the same time.
#[derive(Debug, Default)]
pub(super) struct Retries(u32);

impl Retries {
    /// Counts an attempt that has failed. Returns whether to try again.
    pub(super) fn allow(&mut self, error: &sqlx::Error) -> bool {
        self.0 += 1;
        let is_conflict = error.as_database_error().is_some_and(|error| error.is_unique_violation());
        is_conflict && self.0 < ATTEMPTS
    }
}

impl Store {
    /// Returns the sessions that were revoked after the revocation `seq`, and the number of the last
    /// revocation.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn revocations_after(&self, seq: u64) -> Result<(Vec<SecretHash>, u64), StoreError> {
        let sql = Sql::both("select seq, kind, key from revocations where seq > $1 order by seq");
        let rows = fetch_all!(self, (i64, String, Vec<u8>), sql, i64::try_from(seq).unwrap_or(i64::MAX));
        let rows = rows.map_err(StoreError::database("look for ended sessions"))?;
        let last = rows.last().map_or(seq, |(last, ..)| u64::try_from(*last).unwrap_or(seq));
        let sessions = rows.into_iter().filter(|(_, kind, _)| kind == "session");
        let sessions = sessions.map(|(_, _, key)| read_hash(&key, "revocations.key"));
        Ok((sessions.collect::<Result<_, _>>()?, last))
    }

    /// Returns the number of the last revocation, or 0.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn last_revocation(&self) -> Result<u64, StoreError> {
        let sql = Sql::both("select coalesce(max(seq), 0) from revocations");
        let row = fetch_optional!(self, (i64,), sql);
        let row = row.map_err(StoreError::database("look up the last revocation"))?;
        Ok(row.map_or(0, |(seq,)| u64::try_from(seq).unwrap_or(0)))
    }
}
