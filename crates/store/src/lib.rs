//! The store: users, tables, and above all the append-only log of each match, in SQLite or
//! Postgres.
//!
//! The log is the truth (see [`Logged`]): every change of a match is a row of it, and a match's
//! state is a fold of its rows. All SQL of the server is in this crate, which turns rows into
//! domain types. Both databases keep the same promises; one suite, `tests/tests/store`, runs on
//! both.
//!
//! # Use
//!
//! ```no_run
//! # use quadrex_store::{Append, AppendError, Location, Store};
//! # async fn example(append: &Append) -> Result<(), Box<dyn std::error::Error>> {
//! let location = Location::parse("", std::path::Path::new("data"))?;
//! let store = Store::connect(&location, 8).await?;
//!
//! // At the start: claim every unfinished match, which fences any earlier owner, and then read it.
//! for row in store.unfinished().await? {
//!     if let Some(epoch) = store.claim(row.match_id).await? {
//!         let log = store.events(row.match_id, 0).await?;
//!         println!("{} goes on in epoch {epoch} with {} events", row.table, log.len());
//!     }
//! }
//!
//! // For each command: decide, append, and only then apply and publish.
//! match store.append(append).await {
//!     Ok(head_seq) => println!("durable: apply, acknowledge {head_seq}, publish"),
//!     Err(AppendError::Duplicate { seq }) => println!("sent twice: acknowledge {seq} again"),
//!     Err(AppendError::LinkUsed) => println!("refuse: bad_invite"),
//!     Err(AppendError::Fenced | AppendError::Unknown(_)) => println!("claim, read, look for the command"),
//!     Err(AppendError::Fault(fault)) => println!("refuse: internal, nothing was written; log {fault}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - Appends that arrive while a commit is under way share the next one ([`Grouping`]), each with its own outcome.
//! - A claim reads the head only after it has raised the epoch ([`Store::claim`], then [`Store::events`]): an append of
//!   the earlier owner that was under way has then either been committed, and is seen, or is fenced.
//! - A future of this crate that writes must be driven to its end: dropping it leaves the outcome unknown.
//! - A row that is not found is `None`; a fault is a [`StoreError`], whose chain is logged once where it ends.
//! - Secrets come in as [`SecretHash`].
//!
//! A statement is written once, in the texts of both databases side by side (`database`). Only
//! what differs more is under `postgres` and `sqlite`: connecting, appending, the lock of the
//! server, and copies.

mod archive;
mod away;
mod column;
mod database;
mod error;
pub mod error_chain;
#[cfg(feature = "faults")]
mod fault_injection;
mod handovers;
mod heartbeat;
mod links;
mod location;
mod log;
mod node;
mod postgres;
mod requests;
mod schema;
mod secret_hash;
mod sqlite;
mod tables;
mod time_column;
mod users;
mod writer;

use quadrex_protocol::MatchId;

pub use archive::{ArchivePlace, ArchiveQuery, ArchivedMatch, InvalidNameStart, InvalidPlace, NameStart};
pub use error::{BackupError, ConnectError, GrantError, StoreError};
#[cfg(feature = "faults")]
pub use fault_injection::{ABORT_AFTER_COMMIT, FULL_WHILE};
pub use handovers::Handover;
pub use links::{Link, Purpose};
pub use location::Location;
pub use log::{Append, AppendError, Author, Epoch, Logged, NextMatch};
pub use node::{Attempt, Claim, Holder, LEASE, NodeLock};
pub use quadrex_protocol::{LotKey, TurnAway};
pub use requests::{MadeTable, TableRequest};
pub use schema::{MigrationStep, Schema, observe_migrations};
pub use secret_hash::SecretHash;
pub use tables::{NewTable, TableRow};
pub use users::{Session, SessionKind, User};
pub use writer::Grouping;

use archive::Due;
use database::Database;
use postgres::Postgres;
use sqlite::Sqlite;
use writer::{Entry, Writers};

/// An open database. Cheap to clone; all clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    writers: Writers,
    unarchived: Due,
}

/// Copies all that a database holds at this moment into a file, which must be empty or missing,
/// while servers continue to write: a SQLite file into another one, a Postgres database in the form
/// that `pg_restore` reads. The file is written, not yet synced.
///
/// # Errors
/// [`BackupError`]; the file is then worthless.
pub async fn copy(location: &Location, to: &std::path::Path) -> Result<(), BackupError> {
    match location {
        Location::Sqlite(path) => Sqlite::copy(path, to).await,
        Location::Postgres(options) => Postgres::dump(options, to).await,
    }
}

/// Brings a Postgres database up to date and grants a role there what a server needs, and no more:
/// it may read and add events of a log, never change or remove them. With a password the role is
/// created if it is missing, and logs in with that password.
///
/// # Errors
/// [`GrantError`]; the role's rights are then as before.
pub async fn grant(location: &Location, role: &str, password: Option<&str>) -> Result<(), GrantError> {
    match location {
        Location::Sqlite(_) => Err(GrantError::NoRoles { location: location.clone() }),
        Location::Postgres(options) => Postgres::grant(options, role, password).await,
    }
}

impl Store {
    /// Opens the database and brings its schema up to date. `max_connections` is the number of
    /// readers of a SQLite file, which has one writer beside them, or of connections to a Postgres
    /// server that do not append.
    ///
    /// # Errors
    /// [`ConnectError`], one line that says what is wrong and where: a broken file, a server that
    /// is down or could lose acknowledged moves, a schema newer than this program.
    pub async fn connect(location: &Location, max_connections: u32) -> Result<Self, ConnectError> {
        Self::connect_with(location, max_connections, Grouping::default()).await
    }

    /// Opens the database as [`connect`](Self::connect) does, with a rule for how appends share
    /// commits.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn connect_with(
        location: &Location,
        max_connections: u32,
        grouping: Grouping,
    ) -> Result<Self, ConnectError> {
        Ok(match location {
            Location::Sqlite(path) => {
                Self::of_sqlite(Sqlite::connect(path, max_connections).await?, grouping)
            }
            Location::Postgres(options) => {
                let postgres =
                    Postgres::connect(options.as_ref(), max_connections, grouping.connections).await?;
                Self::of_postgres(postgres, grouping)
            }
        })
    }

    /// Opens the database read-only and changes nothing: it creates no file and runs no migration.
    /// `None` if it is a file that does not exist and could be created. Writes are refused.
    ///
    /// # Errors
    /// [`ConnectError`] for whatever [`connect`](Self::connect) would refuse.
    pub async fn open_read_only(location: &Location) -> Result<Option<(Self, Schema)>, ConnectError> {
        let grouping = Grouping { connections: 1, ..Grouping::default() };
        match location {
            Location::Sqlite(path) => {
                Sqlite::check_writable(path)?;
                let opened = Sqlite::open_read_only(path).await?;
                Ok(opened.map(|(sqlite, schema)| (Self::of_sqlite(sqlite, grouping), schema)))
            }
            Location::Postgres(options) => {
                let (postgres, schema) = Postgres::open_read_only(options.as_ref()).await?;
                Ok(Some((Self::of_postgres(postgres, grouping), schema)))
            }
        }
    }

    fn of_sqlite(sqlite: Sqlite, grouping: Grouping) -> Self {
        let writers = Writers::start(&sqlite, Grouping { connections: 1, ..grouping });
        Self { database: Database::Sqlite(sqlite), writers, unarchived: Due::default() }
    }

    fn of_postgres(postgres: Postgres, grouping: Grouping) -> Self {
        let writers = Writers::start(&postgres, grouping);
        Self { database: Database::Postgres(postgres), writers, unarchived: Due::default() }
    }

    /// Sends the database a query, to see that it answers.
    ///
    /// # Errors
    /// [`StoreError`] if it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.ping().await
    }

    /// Closes all connections once their work is done: waiting appends are committed first.
    pub async fn close(&self) {
        self.writers.close().await;
        self.database.close().await;
    }

    /// Writes one command's events after the head, all or none, and returns the new head. They are
    /// durable once it returns `Ok`.
    ///
    /// Appends of different matches that arrive at once share a commit; each has its own outcome.
    ///
    /// An invite to redeem must be one of this match's table, not yet expired, and open or not used
    /// by another user.
    ///
    /// # Errors
    /// [`AppendError`]: in every case but `Unknown` nothing was written.
    pub async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let entry = Entry::of(append);
        let next = entry.next.as_ref().map(|next| next.match_id);
        let moved_on = entry.phase.map(|_| entry.match_id).into_iter().chain(next);
        let moved_on: Vec<MatchId> = moved_on.collect();
        let appended = self.writers.append(entry).await;
        if !moved_on.is_empty() && matches!(appended, Ok(_) | Err(AppendError::Unknown(_))) {
            self.unarchived.add(moved_on);
        }
        appended
    }
}
