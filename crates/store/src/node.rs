//! The right of one server at a time to run on a database: a session lock and a lease.
//!
//! The system frees the lock when its holder dies, so a restart waits for nothing. A process that
//! is stopped keeps the lock: then the lease decides, by the clock of the database. A server that
//! takes over removes the row of its predecessor, and a server without its row has lost the
//! database for good.

use std::fmt;
use std::time::Duration;

use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::database::Database;
use super::postgres::PostgresLock;
use super::sqlite::SqliteLock;
use super::{ConnectError, Location, Store, StoreError};

/// The duration of a lease after a renewal, by the database's clock. A standby takes over from a
/// stalled server after this.
pub const LEASE: Duration = Duration::from_millis(2_400);

/// A server as its row describes it: host, process, and the time of its start.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Holder {
    pub(super) name: String,
    pub(super) since: String,
    /// True if its lease has expired.
    pub(super) is_over: bool,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, since {} UTC", self.name, self.since)
    }
}

/// The outcome of an attempt to get the database.
#[derive(Debug)]
pub enum Attempt {
    /// The lock was acquired: no other server runs.
    Acquired(NodeLock),
    /// Another server has it; `None` if that has just started and is unknown.
    Held(Option<Holder>),
}

/// The rule by which a server gets the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Only a free lock: a server that is started beside another one must end.
    Free,
    /// A free lock or an expired lease: a standby takes over from a stalled server.
    Expired,
}

/// The lock of the one server on a database. It is released when this is dropped.
#[derive(Debug)]
pub struct NodeLock {
    id: Uuid,
    lock: Lock,
}

#[derive(Debug)]
enum Lock {
    Sqlite(SqliteLock),
    Postgres(Box<PostgresLock>),
}

impl NodeLock {
    /// Tries to acquire the database for a server with this id.
    ///
    /// # Errors
    /// [`ConnectError`] if the database or the file of the lock cannot be opened.
    pub async fn attempt(location: &Location, id: Uuid, claim: Claim) -> Result<Attempt, ConnectError> {
        Ok(match location {
            Location::Sqlite(path) => match SqliteLock::attempt(path, claim).await? {
                Ok(lock) => Attempt::Acquired(Self { id, lock: Lock::Sqlite(lock) }),
                Err(holder) => Attempt::Held(holder),
            },
            Location::Postgres(options) => match PostgresLock::attempt(options, claim).await? {
                Ok(lock) => Attempt::Acquired(Self { id, lock: Lock::Postgres(Box::new(lock)) }),
                Err(holder) => Attempt::Held(holder),
            },
        })
    }

    /// Replaces all rows of servers by this server's row.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot write it.
    pub async fn register(&mut self, store: &Store, name: &str) -> Result<(), StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.register_node(self.id, name).await,
            (Lock::Postgres(lock), _) => lock.register(self.id, name).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        }
    }

    /// Renews the lease, and records a heartbeat at this time of the server's clock. Returns false
    /// if another server has taken over.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot write it; the caller tries again.
    pub async fn renew(&mut self, store: &Store, alive_at: Timestamp) -> Result<bool, StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(lock), Database::Sqlite(database)) => {
                lock.try_acquire();
                database.renew_node(self.id, alive_at).await
            }
            (Lock::Postgres(lock), _) => lock.renew(self.id, alive_at).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        }
    }

    /// Closes a session that an interrupted renewal may have left in an unknown state.
    pub fn reset(&mut self) {
        if let Lock::Postgres(lock) = &mut self.lock {
            lock.reset();
        }
    }

    /// Removes the row, so that no server waits for its lease to expire.
    pub async fn unregister(&mut self, store: &Store) {
        let removed = match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.remove_node(self.id).await,
            (Lock::Postgres(lock), _) => lock.remove(self.id).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        };
        if let Err(error) = removed {
            tracing::debug!("cannot remove the server's row: {}", crate::error_chain::chain(&error));
        }
    }
}
