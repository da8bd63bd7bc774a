//! The servers that run on a database: one at a time, held by a session lock and a lease.
//!
//! The lock is freed by the system when its holder dies, so a restart waits for nothing. A process that is stopped keeps
//! the lock: then the lease decides, by the time of the database. Who takes over removes the row of the one before, and a
//! server whose row is gone has lost its database for good.

use std::fmt;
use std::time::Duration;

use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::postgres::PostgresLock;
use super::sqlite::SqliteLock;
use super::{ConnectError, Database, Location, Store, StoreError};

/// Time for which a lease is good in the database after a renewal. A standby takes over from a server that stands still
/// once this has passed.
pub const LEASE: Duration = Duration::from_millis(2_400);

/// A server as its row names it: host, process, and since when it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    pub(super) name: String,
    pub(super) since: String,
    /// Set when its lease is over.
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
    /// The lock: no other server runs.
    Acquired(NodeLock),
    /// Another server; unknown if it has just started.
    Held(Option<Holder>),
}

/// The rule by which a server gets the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Only a free lock: a server that is started beside another must end.
    Free,
    /// A free lock, or a lease that is over: a standby follows a server that stands still.
    Expired,
}

/// The lock of the one server on a database. Dropped, it is free.
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
    /// Tries to get the database for a server that goes by this id.
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

    /// Puts this server's row in the place of all others.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot keep it.
    pub async fn register(&mut self, store: &Store, name: &str) -> Result<(), StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.register_node(self.id, name).await,
            (Lock::Postgres(lock), _) => lock.register(self.id, name).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        }
    }

    /// Renews the lease, and keeps that the server runs at this moment of its own. `false` if another server has taken
    /// over.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot keep it; to be tried again.
    pub async fn renew(&mut self, store: &Store, alive_at: Timestamp) -> Result<bool, StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(lock), Database::Sqlite(database)) => {
                lock.get();
                database.renew_node(self.id, alive_at).await
            }
            (Lock::Postgres(lock), _) => lock.renew(self.id, alive_at).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        }
    }

    /// Gives up what a renewal that did not come to its end may have left behind.
    pub fn reset(&mut self) {
        if let Lock::Postgres(lock) = &mut self.lock {
            lock.reset();
        }
    }

    /// Removes the row, so that nothing waits for its lease. The lock is free when this is dropped.
    pub async fn unregister(&mut self, store: &Store) {
        let removed = match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.remove_node(self.id).await,
            (Lock::Postgres(lock), _) => lock.remove(self.id).await,
            (Lock::Sqlite(_), Database::Postgres(_)) => unreachable!("lock and store are of one location"),
        };
        if let Err(error) = removed {
            tracing::debug!("the server's row stays: {}", crate::error_chain::chain(&error));
        }
    }
}
