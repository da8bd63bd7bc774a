//! The lock that lets only one server at a time use a database. It consists of a session lock and a
//! lease.
//!
//! The session lock is released when its holder dies, so a restarted server need not wait. A
//! process that hangs keeps the session lock, so there is also a lease that expires by the clock of
//! the database. Each server has a row in the table `nodes`. A server that takes over removes the
//! row of its predecessor, and a server whose row is missing may not use the database any more.

use std::fmt;
use std::time::Duration;

use quadrex_rules::Timestamp;

use super::database::Database;
use super::ownership::NodeId;
use super::postgres::PostgresServerLock;
#[cfg(feature = "simulation")]
use super::simulated::SimulatedServerLock;
use super::sqlite::SqliteServerLock;
use super::{ConnectError, Location, Store, StoreError};

/// The time after a renewal at which the lease expires, by the database's clock. A standby server
/// then takes over.
pub const LEASE_DURATION: Duration = Duration::from_millis(2_400);

/// The server that holds the lock, as its row in `nodes` describes it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LockHolder {
    pub(super) name: String,
    pub(super) since: String,
    /// True if the server's lease has expired.
    pub(super) has_expired: bool,
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, since {} UTC", self.name, self.since)
    }
}

/// The outcome of an attempt to acquire the lock.
#[derive(Debug)]
pub enum LockAttempt {
    /// The lock was acquired. No other server uses the database.
    Acquired(ServerLock),
    /// Another server has the lock. `None` if it has no row yet because it has just started.
    Held(Option<LockHolder>),
}

/// The condition under which a server may acquire the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockClaim {
    /// The session lock is free. A server that is started while another server runs must exit.
    Free,
    /// The session lock is free or the lease has expired. With this condition, a standby takes over
    /// from a server that hangs.
    FreeOrExpired,
}

/// The acquired lock of a server. It is released when this value is dropped.
#[derive(Debug)]
pub struct ServerLock {
    id: NodeId,
    lock: Lock,
}

#[derive(Debug)]
enum Lock {
    Sqlite(SqliteServerLock),
    Postgres(Box<PostgresServerLock>),
    #[cfg(feature = "simulation")]
    Simulated(SimulatedServerLock),
}

impl ServerLock {
    /// Returns the server that holds the lock.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.id
    }

    /// Tries to acquire the lock for a server with this id.
    ///
    /// # Errors
    /// Returns [`ConnectError`] if the database or the lock file cannot be opened.
    pub async fn attempt(
        location: &Location,
        id: NodeId,
        claim: LockClaim,
    ) -> Result<LockAttempt, ConnectError> {
        Ok(match location {
            Location::Sqlite(path) => match SqliteServerLock::attempt(path, claim).await? {
                Ok(lock) => LockAttempt::Acquired(Self { id, lock: Lock::Sqlite(lock) }),
                Err(holder) => LockAttempt::Held(holder),
            },
            Location::Postgres(options) => match PostgresServerLock::attempt(options, claim).await? {
                Ok(lock) => LockAttempt::Acquired(Self { id, lock: Lock::Postgres(Box::new(lock)) }),
                Err(holder) => LockAttempt::Held(holder),
            },
            #[cfg(feature = "simulation")]
            Location::Simulated(database) => match SimulatedServerLock::attempt(database, claim).await? {
                Ok(lock) => LockAttempt::Acquired(Self { id, lock: Lock::Simulated(lock) }),
                Err(holder) => LockAttempt::Held(holder),
            },
        })
    }

    /// Adds the row of this server to the table `nodes` and removes the rows of all other servers.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the row cannot be written.
    pub async fn register(&mut self, store: &Store, name: &str) -> Result<(), StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.register_node(self.id.0, name).await,
            (Lock::Postgres(lock), _) => lock.register(self.id.0, name).await,
            #[cfg(feature = "simulation")]
            (Lock::Simulated(lock), _) => lock.register(self.id.0, name).await,
            (Lock::Sqlite(_), _) => unreachable!("lock and store are of one location"),
        }
    }

    /// Renews the lease and records a heartbeat. `alive_at` is the present time of this server's
    /// clock. Returns false if another server has taken over.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the lease or the heartbeat cannot be written. The caller must try
    /// again.
    pub async fn renew(&mut self, store: &Store, alive_at: Timestamp) -> Result<bool, StoreError> {
        match (&mut self.lock, &store.database) {
            (Lock::Sqlite(lock), Database::Sqlite(database)) => {
                lock.try_acquire();
                database.renew_node(self.id.0, alive_at).await
            }
            (Lock::Postgres(lock), _) => lock.renew(self.id.0, alive_at).await,
            #[cfg(feature = "simulation")]
            (Lock::Simulated(lock), _) => lock.renew(self.id.0, alive_at).await,
            (Lock::Sqlite(_), _) => unreachable!("lock and store are of one location"),
        }
    }

    /// Closes the session of the lock. This is needed after an interrupted renewal, which leaves
    /// the session in an unknown state.
    pub fn reset(&mut self) {
        match &mut self.lock {
            Lock::Sqlite(_) => {}
            Lock::Postgres(lock) => lock.reset(),
            #[cfg(feature = "simulation")]
            Lock::Simulated(lock) => lock.reset(),
        }
    }

    /// Removes this server's row, so that another server need not wait until the lease expires.
    pub async fn unregister(&mut self, store: &Store) {
        let removed = match (&mut self.lock, &store.database) {
            (Lock::Sqlite(_), Database::Sqlite(database)) => database.remove_node(self.id.0).await,
            (Lock::Postgres(lock), _) => lock.remove(self.id.0).await,
            #[cfg(feature = "simulation")]
            (Lock::Simulated(lock), _) => lock.remove(self.id.0).await,
            (Lock::Sqlite(_), _) => unreachable!("lock and store are of one location"),
        };
        if let Err(error) = removed {
            tracing::debug!("cannot remove the server's row: {}", crate::error_chain::chain(&error));
        }
    }
}
