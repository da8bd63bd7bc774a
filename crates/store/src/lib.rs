//! The store: users, tables, and above all the append-only log of each match, on SQLite or on Postgres.
//!
//! The log is the truth (see [`Logged`]): whatever changes a match is a row of it, and a match's state is a fold of
//! its rows. All SQL of the server stands in this module; rows become domain types here and nowhere else.
//! Both databases keep the same promises; one suite, `tests/tests/store.rs`, runs on both.
//!
//! # How it is used
//!
//! ```no_run
//! # use quadrex_store::{Append, AppendError, Location, Store};
//! # async fn example(append: &Append) -> Result<(), Box<dyn std::error::Error>> {
//! let location = Location::parse("", std::path::Path::new("data"))?;
//! let store = Store::connect(&location, 8).await?;
//!
//! // At start: every unfinished match is claimed, which fences any earlier owner, and then read.
//! for row in store.unfinished().await? {
//!     if let Some(epoch) = store.claim(row.match_id).await? {
//!         let log = store.events(row.match_id, 0).await?;
//!         println!("{} goes on in epoch {epoch} with {} events", row.table, log.len());
//!     }
//! }
//!
//! // For each command: decide, append, and only then apply it and tell others.
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
//! - Appends that come while a commit is under way share the next one ([`Grouping`]), each with an outcome of its own.
//! - A claim reads the head only after it has raised the epoch ([`Store::claim`], then [`Store::events`]): an
//!   append of the earlier owner that was under way has then either been committed, and is seen, or is fenced.
//! - A future of this module that writes must be driven to its end: dropping it leaves the outcome unknown.
//! - Not found is `None`; a fault is a [`StoreError`], whose chain is logged once where it ends.
//! - Secrets come in as [`SecretHash`]; the `auth` module makes them.

mod archive;
mod away;
mod column;
mod error;
pub mod error_chain;
#[cfg(feature = "faults")]
mod fault_injection;
mod identity;
mod location;
mod log;
mod lot_key;
mod node;
mod postgres;
mod request;
mod schema;
mod sqlite;
mod table;
mod writer;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{CmdId, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;

pub use archive::{ArchivePlace, ArchiveQuery, ArchivedMatch, InvalidNameStart, InvalidPlace, NameStart};
pub use away::TurnAway;
pub use error::{BackupError, ConnectError, GrantError, StoreError};
#[cfg(feature = "faults")]
pub use fault_injection::{ABORT_AFTER_COMMIT, FULL_WHILE};
pub use identity::{Handover, SecretHash, Session, SessionKind, User};
pub use location::Location;
pub use log::{Append, AppendError, Author, Epoch, Logged, NextMatch};
pub use lot_key::LotKey;
pub use node::{Attempt, Claim, Holder, LEASE, NodeLock};
pub use request::{MadeTable, TableRequest};
pub use schema::{MigrationStep, Schema, observe_migrations};
pub use table::{Link, NewTable, Purpose, TableRow};
pub use writer::Grouping;

use archive::Due;
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

#[derive(Clone, Debug)]
enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Calls the function of the same name of whichever database is open.
macro_rules! on {
    ($store:expr, $function:ident($($argument:expr),*)) => {
        match &$store.database {
            Database::Sqlite(database) => database.$function($($argument),*).await,
            Database::Postgres(database) => database.$function($($argument),*).await,
        }
    };
}
use on;

/// Copies all that a database holds at this moment into a file, which must be empty or missing, while servers write on:
/// of a SQLite file another one, of a Postgres database what `pg_restore` reads. The file is written, not yet synced.
///
/// # Errors
/// [`BackupError`]; what is in the file then is worth nothing.
pub async fn copy(location: &Location, to: &std::path::Path) -> Result<(), BackupError> {
    match location {
        Location::Sqlite(path) => Sqlite::copy(path, to).await,
        Location::Postgres(options) => Postgres::dump(options, to).await,
    }
}

/// Brings a Postgres database up to date and lets a role do there what a server needs, and no more: events of a log it may
/// read and add, never change or remove. With a password the role is made if it is missing, and logs in with that.
///
/// # Errors
/// [`GrantError`]; the role may then do what it might before.
pub async fn grant(location: &Location, role: &str, password: Option<&str>) -> Result<(), GrantError> {
    match location {
        Location::Sqlite(_) => Err(GrantError::NoRoles { location: location.clone() }),
        Location::Postgres(options) => Postgres::grant(options, role, password).await,
    }
}

impl Store {
    /// Opens the database and brings its schema up to date. `max_connections` counts the readers of a SQLite file
    /// (it has one writer beside them), or the connections to a Postgres server that do not append.
    ///
    /// # Errors
    /// [`ConnectError`], one line that says what is wrong and where: a broken file, a server that is down, or one
    /// that could lose acknowledged moves, a schema newer than this program.
    pub async fn connect(location: &Location, max_connections: u32) -> Result<Self, ConnectError> {
        Self::connect_with(location, max_connections, Grouping::default()).await
    }

    /// As [`connect`](Self::connect), and says how appends share commits.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn connect_with(
        location: &Location,
        max_connections: u32,
        grouping: Grouping,
    ) -> Result<Self, ConnectError> {
        match location {
            Location::Sqlite(path) => {
                let sqlite = Sqlite::connect(path, max_connections).await?;
                let writers = Writers::start(&sqlite, Grouping { connections: 1, ..grouping });
                Ok(Self { database: Database::Sqlite(sqlite), writers, unarchived: Due::default() })
            }
            Location::Postgres(options) => {
                let postgres =
                    Postgres::connect(options.as_ref(), max_connections, grouping.connections).await?;
                let writers = Writers::start(&postgres, grouping);
                Ok(Self { database: Database::Postgres(postgres), writers, unarchived: Due::default() })
            }
        }
    }

    /// Opens the database for reading alone and changes nothing: no file is made, no migration run. `None` if it is a
    /// file that is not there and could be made. What would have to be written is refused.
    ///
    /// # Errors
    /// [`ConnectError`] for whatever [`connect`](Self::connect) would refuse.
    pub async fn open_read_only(location: &Location) -> Result<Option<(Self, Schema)>, ConnectError> {
        match location {
            Location::Sqlite(path) => {
                Sqlite::check_writable(path)?;
                let Some((sqlite, schema)) = Sqlite::open_read_only(path).await? else { return Ok(None) };
                let writers = Writers::start(&sqlite, Grouping { connections: 1, ..Grouping::default() });
                Ok(Some((
                    Self { database: Database::Sqlite(sqlite), writers, unarchived: Due::default() },
                    schema,
                )))
            }
            Location::Postgres(options) => {
                let (postgres, schema) = Postgres::open_read_only(options.as_ref()).await?;
                let writers = Writers::start(&postgres, Grouping { connections: 1, ..Grouping::default() });
                Ok(Some((
                    Self { database: Database::Postgres(postgres), writers, unarchived: Due::default() },
                    schema,
                )))
            }
        }
    }

    /// Asks the database for an answer, to see that it gives one.
    ///
    /// # Errors
    /// [`StoreError`] if there is none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        on!(self, ping())
    }

    /// Closes all connections once their work is done: appends that wait are committed first.
    pub async fn close(&self) {
        self.writers.close().await;
        on!(self, close());
    }

    /// Keeps that a server on this database runs at this moment.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot keep it.
    pub async fn beat(&self, at: Timestamp) -> Result<(), StoreError> {
        on!(self, beat(at))
    }

    /// When a server on this database is last known to have run.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        on!(self, last_beat())
    }

    /// Keeps a new user.
    ///
    /// # Errors
    /// [`StoreError`], also if the id is taken or the name does not fit.
    pub async fn add_user(&self, user: &User) -> Result<(), StoreError> {
        on!(self, add_user(user))
    }

    /// Keeps a user that may be there already, and then stays as it is.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn keep_user(&self, user: &User) -> Result<(), StoreError> {
        on!(self, keep_user(user))
    }

    /// Keeps a new token.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such user.
    pub async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        on!(self, add_session(session))
    }

    /// Whom a token of this kind names at `now`: nobody if it is unknown, of the other kind, or expired.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn session_user(
        &self,
        token: SecretHash,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Option<User>, StoreError> {
        on!(self, session_user(token, kind, now))
    }

    /// Keeps a new handover, and forgets those that have expired by then.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such user.
    pub async fn add_handover(&self, handover: &Handover) -> Result<(), StoreError> {
        on!(self, add_handover(handover))
    }

    /// Returns whom a handover names at `now`, and leaves it as it is: nobody if it is unknown, used or expired.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn handover_user(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        on!(self, handover_user(secret, now))
    }

    /// Uses a handover up: whom it names at `now`, nobody if it is unknown, used or expired. Of several who use it
    /// at once, exactly one is told.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say; it may be used up all the same.
    pub async fn use_handover(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        on!(self, use_handover(secret, now))
    }

    /// Makes a table, its first match and that match's first events, all or none. The match is open, its epoch
    /// [`Epoch::FIRST`] belongs to the caller, its head is the number of events. Gives back that head.
    ///
    /// # Errors
    /// [`StoreError`]. If the line broke during the COMMIT the table may be there all the same:
    /// [`Store::table`] tells.
    pub async fn open_table(&self, table: &NewTable) -> Result<u64, StoreError> {
        let head = on!(self, open_table(table))?;
        // One whose seats are all held from the beginning has begun.
        if column::phase_after(&table.events) == Some(Phase::Running) {
            self.unarchived.add([table.match_id]);
        }
        Ok(head)
    }

    /// As [`open_table`](Self::open_table), for a request that named itself. If this host's request of that name made a
    /// table before, nothing is written, and that table comes back. Of several at once, exactly one makes a table. A
    /// request is kept for a day.
    ///
    /// # Errors
    /// As [`open_table`](Self::open_table); [`requested_table`](Self::requested_table) tells whether it is there.
    pub async fn open_table_once(
        &self,
        table: &NewTable,
        request: &TableRequest,
    ) -> Result<Option<MadeTable>, StoreError> {
        let made = on!(self, open_table_once(table, request))?;
        if made.is_none() && column::phase_after(&table.events) == Some(Phase::Running) {
            self.unarchived.add([table.match_id]);
        }
        Ok(made)
    }

    /// Returns the table that this user's request of this name made, for a day.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn requested_table(
        &self,
        user: UserId,
        cmd: &CmdId,
        now: Timestamp,
    ) -> Result<Option<MadeTable>, StoreError> {
        on!(self, requested_table(user, cmd, now))
    }

    /// What the lots of a table are drawn with; `None` if there is no such table.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn lot_key(&self, table: TableId) -> Result<Option<LotKey>, StoreError> {
        on!(self, lot_key(table))
    }

    /// The table of a match; `None` if there is no such match.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, StoreError> {
        on!(self, table_of(match_id))
    }

    /// A table with its newest match.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn table(&self, table: TableId) -> Result<Option<TableRow>, StoreError> {
        on!(self, table(table))
    }

    /// All tables whose newest match is open or running, oldest first. Public and private: the lobby's list is the
    /// public ones of them.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn unfinished(&self) -> Result<Vec<TableRow>, StoreError> {
        on!(self, unfinished())
    }

    /// A user; `None` if there is none of this id.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn user(&self, user: UserId) -> Result<Option<User>, StoreError> {
        on!(self, user(user))
    }

    /// Keeps a new link, and removes all that have expired. Returns false, and keeps nothing, if the
    /// table has `most` links already.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such table.
    pub async fn add_link(&self, link: &Link, most: u32) -> Result<bool, StoreError> {
        on!(self, add_link(link, most))
    }

    /// Returns a table's links that have not expired at `now`, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn links(&self, table: TableId, now: Timestamp) -> Result<Vec<Link>, StoreError> {
        on!(self, links(table, now))
    }

    /// Removes a link of a table. Returns false if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if it may still be there.
    pub async fn remove_link(&self, table: TableId, secret: SecretHash) -> Result<bool, StoreError> {
        on!(self, remove_link(table, secret))
    }

    /// The link of a secret, expired and used ones too.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        on!(self, link(secret))
    }

    /// Takes a match over: raises its epoch, so that nobody else's appends pass from now on. `None` if there is no
    /// such match. Read the log after this, not before.
    ///
    /// # Errors
    /// [`StoreError`]; claiming again is harmless.
    pub async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        on!(self, claim(match_id))
    }

    /// Writes one command's events after the head, all or none, and gives back the new head. Once it returns `Ok`
    /// they are durable.
    ///
    /// Appends of different matches that come at once share a commit; each has its own outcome.
    ///
    /// An invite to redeem must be one of this match's table, not yet expired, and open or not used by anybody else.
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

    /// A match's events after the `after`-th, in order, without gaps. Empty if there is no such match.
    ///
    /// # Errors
    /// [`StoreError::UnreadableEvent`] and [`StoreError::MissingEvent`] name the match and the event.
    pub async fn events(&self, match_id: MatchId, after: u64) -> Result<Vec<Logged>, StoreError> {
        let events = on!(self, events(match_id, after))?;
        for (expected, logged) in (after + 1..).zip(&events) {
            if logged.seq != expected {
                return Err(StoreError::MissingEvent { match_id, seq: expected });
            }
        }
        Ok(events)
    }

    /// The last event of a command this user gave in this match, if it was carried out.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn command_answer(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CmdId,
    ) -> Result<Option<u64>, StoreError> {
        on!(self, command_answer(match_id, user, cmd))
    }
}
