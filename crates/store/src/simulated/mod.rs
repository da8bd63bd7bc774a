//! A database for deterministic simulations.
//!
//! A simulation runs servers and clients in one thread and in virtual time, and must run in exactly
//! the same way when it is repeated. A [`SimulatedDatabase`] is the database of such servers. It
//! takes the place of a Postgres server: it survives the crashes of the servers, it has sessions
//! with locks, and the simulation decides which accesses to it fail.
//!
//! - The data is in one SQLite database in memory, which executes the texts for SQLite of all
//!   statements. Each statement is executed within one poll of its future (module `connection`), so
//!   the runtime does not see that another thread does the work, and virtual time stands still.
//! - A transaction has the database for itself until it ends. Other tasks wait for it in the order
//!   of their arrival. A transaction that is dropped is rolled back at once, so a crash is simulated
//!   by dropping all futures of a server.
//! - Before each access a [`FaultPlan`] decides if and how the access fails (module `faults`).
//! - The time of the database is that of the simulation. Neither the data nor the order of accesses
//!   depends on the system's clock, on random numbers, or on the threads of the operating system.
//!
//! The module exists only with the feature `simulation`, which no released program has.

mod append;
mod claim;
mod connection;
mod faults;
mod node_session;
mod server_lock;
mod session;
mod survey;
mod transaction;

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use sqlx::SqliteConnection;
use tokio::sync::Mutex;

pub(super) use connection::block_on;
pub use faults::{Access, Appended, ClaimedBy, Fault, FaultPlan, NoFaults};
pub(super) use node_session::SimulatedNodeSession;
pub(super) use server_lock::SimulatedServerLock;
pub(super) use transaction::SimulatedTransaction;

use crate::database::answered;
use crate::error::{BackupError, ConnectError};
use crate::error_chain::reason;
use crate::location::Location;
use crate::schema::{self, Schema};
use crate::sqlite::MIGRATIONS;
use crate::time_column::TimeColumn;
use session::Sessions;

/// A function that returns the present time of a simulation.
type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A database in memory for a deterministic simulation. Clones are the same database: it is shared
/// by all servers of the simulation, and exists as long as one of the clones.
///
/// A clone belongs to a server ([`for_server`](Self::for_server)), so that faults can concern
/// single servers.
#[derive(Clone)]
pub struct SimulatedDatabase {
    shared: Arc<Shared>,
    server: Option<Arc<str>>,
    /// True if the store that this clone belongs to is closed.
    is_closed: Arc<AtomicBool>,
}

/// The state that all clones share.
struct Shared {
    connection: Arc<Mutex<SqliteConnection>>,
    sessions: std::sync::Mutex<Sessions>,
    clock: Clock,
    faults: Arc<dyn FaultPlan>,
}

impl SimulatedDatabase {
    /// Creates an empty database with the schema of this program. `clock` returns the time of the
    /// simulation.
    ///
    /// # Panics
    /// Panics if a migration of the schema is broken, or if there is no memory for the database.
    pub fn new(clock: impl Fn() -> Timestamp + Send + Sync + 'static, faults: Arc<dyn FaultPlan>) -> Self {
        let connection = connection::open();
        let shared = Shared {
            connection: Arc::new(Mutex::new(connection)),
            sessions: std::sync::Mutex::default(),
            clock: Arc::new(clock),
            faults,
        };
        Self { shared: Arc::new(shared), server: None, is_closed: Arc::default() }
    }

    /// Returns the database as the server with this name accesses it.
    #[must_use]
    pub fn for_server(&self, name: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), server: Some(name.into()), is_closed: Arc::default() }
    }

    /// Ends the sessions of this server, which releases their locks. A database does this when it
    /// notices that the connection to a server is broken. A server that crashes loses its sessions
    /// anyway, because they end when they are dropped.
    pub fn end_sessions(&self) {
        self.sessions(|sessions| sessions.end_all_of(self.server.as_deref()));
    }

    /// Runs statements without faults, when no transaction is open. `run` must await nothing but
    /// statements. Tests and checks use this to read and change what no function of the store does.
    pub async fn run_unchecked<T>(&self, run: impl AsyncFnOnce(&mut SqliteConnection) -> T) -> T {
        let mut connection = self.shared.connection.lock().await;
        block_on(run(&mut connection))
    }

    /// Returns the content of the database as the bytes of a SQLite file. Databases in which the
    /// same statements were executed have the same bytes.
    ///
    /// # Panics
    /// Panics if there is no memory for the copy.
    pub async fn bytes(&self) -> Vec<u8> {
        let mut connection = self.shared.connection.lock().await;
        connection::serialize(&mut connection)
    }

    /// Returns an empty database with the schema of this program, as the bytes of a SQLite file.
    ///
    /// # Panics
    /// Panics if a migration of the schema is broken, or if there is no memory for the database.
    #[must_use]
    pub fn empty_file() -> &'static [u8] {
        connection::empty()
    }

    /// Lets the databases of this process begin with these bytes, which another process of the same
    /// program has from [`empty_file`](Self::empty_file). Running the migrations takes longer than many
    /// a simulation. It has no effect after the first database was created.
    pub fn set_empty_file(bytes: Vec<u8>) {
        connection::set_empty(bytes);
    }

    /// Returns the database for the store of a server. Fails if the fault plan prevents it.
    pub(super) async fn connect(&self) -> Result<Self, ConnectError> {
        let connected = answered(self.access(Access::Read, "connect", |_| Ok(()))).await;
        let store = Self { is_closed: Arc::default(), ..self.clone() };
        connected.map(|()| store).map_err(|error| ConnectError::Unreachable {
            location: Location::Simulated(self.clone()),
            reason: reason(&error),
        })
    }

    /// Closes the store that this clone belongs to. Further accesses fail.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn ensure_open(&self) -> Result<(), sqlx::Error> {
        if self.is_closed.load(Ordering::Relaxed) { Err(sqlx::Error::PoolClosed) } else { Ok(()) }
    }

    /// Returns the state of the schema, which is always complete.
    pub(super) fn schema(&self) -> Schema {
        let schema = schema::empty(&MIGRATIONS);
        Schema { found: schema.known, pending: Vec::new(), ..schema }
    }

    /// Copies the database into a SQLite file.
    pub(super) async fn copy(&self, to: &Path) -> Result<(), BackupError> {
        std::fs::write(to, self.bytes().await).map_err(|error| BackupError::Copy {
            location: Location::Simulated(self.clone()),
            reason: error.to_string(),
        })
    }

    /// Returns the present time of the database.
    fn now(&self) -> TimeColumn {
        TimeColumn::from((self.shared.clock)())
    }

    /// Executes a statement that only reads, unless the fault plan prevents it.
    pub(super) async fn read<T>(
        &self,
        statement: &'static str,
        run: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        self.access(Access::Read, statement, run).await
    }

    /// Executes a statement, unless the fault plan prevents it.
    pub(super) async fn write<T>(
        &self,
        statement: &'static str,
        run: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        self.access(Access::Write, statement, run).await
    }

    async fn access<T>(
        &self,
        access: Access,
        statement: &'static str,
        run: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        self.ensure_open()?;
        let answer = self.decide(access, statement).request().await?;
        let mut connection = self.shared.connection.lock().await;
        let result = run(&mut connection);
        drop(connection);
        answer.pass(result).await
    }

    pub(super) async fn begin(&self) -> Result<SimulatedTransaction, sqlx::Error> {
        self.ensure_open()?;
        let connection = Arc::clone(&self.shared.connection).lock_owned().await;
        SimulatedTransaction::begin(self.clone(), connection)
    }

    /// Informs the fault plan that this server has renewed its lease.
    fn record_renewal(&self, lease: Duration) {
        self.shared.faults.renewed(self.server.as_deref(), lease);
    }

    fn decide(&self, access: Access, statement: &'static str) -> Fault {
        self.shared.faults.decide(access, statement, self.server.as_deref())
    }

    fn sessions<T>(&self, run: impl FnOnce(&mut Sessions) -> T) -> T {
        run(&mut self.shared.sessions.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Display for SimulatedDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "for {}", self.server.as_deref().unwrap_or("all servers"))
    }
}

impl fmt::Debug for SimulatedDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimulatedDatabase({self})")
    }
}

#[cfg(test)]
mod tests;
