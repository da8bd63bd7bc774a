//! The record of revoked rights, by which the servers of a cluster learn of revocations.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute_in, fetch_all, fetch_optional};
use super::error::{StoreError, unreadable};
use super::secret_hash::SecretHash;
use super::sessions::read_hash;
use super::time_column::TimeColumn;

/// The number of attempts to record a revocation while other servers record others.
const ATTEMPTS: u32 = 30;

/// The time for which a revocation stays recorded. Servers read it within seconds.
const LIFETIME: Duration = Duration::from_secs(3_600);

/// The kind of a row about a session that has ended.
const SESSION: &str = "session";

/// The kind of a row about a user whose rights have changed.
const USER: &str = "user";

/// A right that was revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revocation {
    /// A session has ended.
    Session(SecretHash),
    /// A user was suspended, or is not suspended any more.
    RightsOf(UserId),
}

/// The revocations that a server has read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revocations {
    /// The sessions that have ended.
    pub sessions: Vec<SecretHash>,
    /// The users whose rights have changed.
    pub users: Vec<UserId>,
    /// The number of the last revocation.
    pub last: u64,
}

impl Transaction {
    /// Records a revocation for all servers on the database.
    pub(super) async fn record_revocation(
        &mut self,
        revocation: Revocation,
        now: Timestamp,
    ) -> Result<(), sqlx::Error> {
        let (kind, key) = match &revocation {
            Revocation::Session(SecretHash(hash)) => (SESSION, hash.as_slice()),
            Revocation::RightsOf(user) => (USER, user.0.as_bytes().as_slice()),
        };
        let sql = Sql {
            postgres: "insert into revocations (seq, kind, key, at)
                       select coalesce(max(seq), 0) + 1, $1, $2, $3 from revocations",
            sqlite: "insert into revocations (seq, kind, key, at_ms)
                     select coalesce(max(seq), 0) + 1, $1, $2, $3 from revocations",
        };
        execute_in!(&mut *self, sql, kind, key, TimeColumn::from(now)).map(drop)
    }

    /// Removes the revocations that all servers have read long ago.
    pub(super) async fn remove_old_revocations(&mut self, now: Timestamp) -> Result<(), sqlx::Error> {
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

/// The further attempts at a transaction that numbers its rows, such as revocations, and fails if
/// another server adds one at the same time.
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
    /// Returns the revocations after the revocation `seq`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn revocations_after(&self, seq: u64) -> Result<Revocations, StoreError> {
        let sql = Sql::both("select seq, kind, key from revocations where seq > $1 order by seq");
        let rows = fetch_all!(self, (i64, String, Vec<u8>), sql, i64::try_from(seq).unwrap_or(i64::MAX));
        let rows = rows.map_err(StoreError::database("read the revocations"))?;
        let mut revocations = Revocations { last: seq, ..Revocations::default() };
        for (seq, kind, key) in rows {
            revocations.last = u64::try_from(seq).unwrap_or(revocations.last);
            match kind.as_str() {
                SESSION => revocations.sessions.push(read_hash(&key, "revocations.key")?),
                USER => {
                    let id = Uuid::from_slice(&key).map_err(|error| unreadable("revocations.key", error))?;
                    revocations.users.push(UserId(id));
                }
                // A later version may have further kinds.
                _ => {}
            }
        }
        Ok(revocations)
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
