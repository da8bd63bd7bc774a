//! The store: users, tables and the append-only log of each match, in SQLite or Postgres.
//!
//! The log is the source of truth (see [`LoggedEvent`]). Every change of a match is a row of its
//! log, and the state of a match is computed from these rows. All SQL of the server is in this
//! crate, which converts rows to domain types. Both databases give the same guarantees, and the
//! tests in `tests/tests/store` run on both.
//!
//! # Use
//!
//! ```no_run
//! # use quadrex_store::{Append, AppendError, Location, Store};
//! # async fn example(append: &Append) -> Result<(), Box<dyn std::error::Error>> {
//! let location = Location::parse("", std::path::Path::new("data"))?;
//! let store = Store::connect(&location, 8).await?;
//!
//! // At the start: claim the unfinished matches, which fences any earlier owner, and then read them.
//! for row in store.awake().await? {
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
//! - Appends that arrive during a commit share the next commit ([`CommitGrouping`]). Each append
//!   has its own outcome.
//! - A new owner first raises the epoch ([`Store::claim`]) and then reads the log
//!   ([`Store::events`]). An append that the earlier owner began before the claim is then either in
//!   the log or refused.
//! - A future of this crate that writes must be awaited to its end. If such a future is dropped
//!   earlier, the outcome is unknown.
//! - A row that is not found is `None`. A fault is a [`StoreError`]; the code that handles the
//!   error logs it with its chain of causes.
//! - The store receives secrets only as [`SecretHash`].
//!
//! For most statements the texts for both databases are written side by side (module `database`).
//! Connecting, appending, the server lock and backups differ more, so each of the modules
//! `postgres` and `sqlite` has its own code for them.

mod accounts;
mod archive;
mod column;
mod conditional_moves;
mod database;
mod deletion;
mod error;
pub mod error_chain;
#[cfg(feature = "faults")]
mod fault_injection;
mod group_members;
mod group_tables;
mod groups;
mod handovers;
mod heartbeat;
mod hibernation;
mod invitations;
mod leaves;
mod links;
mod location;
mod log;
mod mail;
mod metrics;
mod notifications;
mod opponents;
mod ownership;
mod pairing;
mod pairs;
mod postgres;
mod provider_identities;
mod provider_sign_ins;
mod ratings;
mod recovery_keys;
mod relations;
mod reports;
mod requests;
mod retention;
mod reviews;
mod revocations;
mod schema;
mod seat_holders;
mod secret_hash;
mod server_lock;
mod sessions;
mod shares;
#[cfg(feature = "simulation")]
mod simulated;
mod sqlite;
mod suspensions;
mod tables;
mod time_column;
mod tokens;
mod turn_absence;
mod user_search;
mod users;
mod vacations;
mod warnings;
mod writer;

use quadrex_protocol::MatchId;

pub use accounts::{AccountCreation, NameChange, NewAccount, NewName, StoredAccount};
pub use archive::{
    ArchiveCursor, ArchiveQuery, ArchivedMatch, InvalidCursor, InvalidNamePrefix, MatchToArchive, NamePrefix,
};
pub use conditional_moves::StoredConditionalMoves;
pub use deletion::{DELETED_NAME, ErasedNames};
pub use error::{BackupError, ConnectError, GrantError, StoreError};
#[cfg(feature = "faults")]
pub use fault_injection::{ABORT_AFTER_COMMIT, FULL_WHILE};
pub use group_members::{GroupJoined, GroupLeft, GroupLimits, StoredGroupMember};
pub use group_tables::StoredGroupStanding;
pub use groups::{Group, GroupChange, ListedGroup};
pub use handovers::Handover;
pub use hibernation::{Hibernation, ListedHibernation, StoredOutage};
pub use invitations::{
    InvitationAccepted, InvitationAdded, NewInvitation, ReceivedInvitation, SentInvitation,
};
pub use leaves::{Leave, RatedConduct};
pub use links::{Link, LinkPurpose};
pub use location::Location;
pub use log::{Append, AppendError, Author, Epoch, LoggedEvent, NextMatch};
pub use mail::{
    ConfirmedAddress, DueMailLink, MailAddress, MailLinkKind, NewConfirmation, PasswordReset, PendingAddress,
};
pub use metrics::write_metrics;
pub use notifications::{
    Channel, DueNotification, NewNotification, NewPushSubscription, NewWebhook, NotificationChoices,
    NotificationKind, PushKeys, PushSubscription, QuietHours, StoredWebhook, WebhookEvents, WebhookOff,
};
pub use opponents::Opponent;
pub use ownership::{
    ClaimedHibernation, ClaimedMatch, DEAD_AFTER, DEAD_ROW_LIFETIME, NODE_LEASE, NodeId, NodeRow,
    NodeSession, NodeState, Outcome, SUCCESSOR_WAIT, Statement, TableOwner, UnownedMatch,
};
pub use pairs::{ActCount, Acts, PairActs, UserPair};
pub use provider_identities::{
    ConnectedIdentity, IdentityConnection, IdentityDisconnection, ProviderAccountCreation, ProviderIdentity,
};
pub use provider_sign_ins::ProviderSignIn;
pub use quadrex_protocol::{LotKey, TurnAbsence};
pub use ratings::{RankedUser, RatedMatch, RatingChange, RatingKind, Recomputation, Recomputed, UserRating};
pub use relations::{BlockBetween, RelatedUser, RelationAdded, RelationKind};
pub use reports::{NewReport, ReportClosing, ReportCounts, ReportQuery, StoredReport, StoredReportClosure};
pub use requests::{RequestedTable, TableRequest};
pub use retention::REMOVED_GUEST;
pub use reviews::StoredReview;
pub use revocations::Revocations;
pub use schema::{MigrationStep, Schema, observe_migrations};
pub use seat_holders::{OwnMatch, SeatHolder};
pub use secret_hash::SecretHash;
pub use server_lock::{LEASE_DURATION, LockAttempt, LockClaim, LockHolder, ServerLock};
pub use sessions::{Session, SessionKind, SessionUser};
#[cfg(feature = "simulation")]
pub use simulated::{Access, Appended, ClaimedBy, Fault, FaultPlan, NoFaults, SimulatedDatabase};
pub use suspensions::UserSuspension;
pub use tables::{NewTable, TableRow};
pub use tokens::AccessToken;
pub use user_search::{FoundUser, UserFacts};
pub use users::User;
pub use vacations::StoredVacation;
pub use warnings::{NewWarning, UserWarning};
pub use writer::CommitGrouping;

use archive::ArchiveQueue;
use database::Database;
use postgres::Postgres;
use sqlite::Sqlite;
use writer::{EncodedAppend, Writers};

/// An open database. Clones share the connections, so a clone costs little.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    writers: Writers,
    unarchived: ArchiveQueue,
    /// The server that owns the matches which this store creates and claims.
    owner: Option<NodeId>,
}

/// Copies the current content of a database into a file while servers continue to write. The file
/// must be empty or missing. The copy of a SQLite database is a SQLite file. The copy of a Postgres
/// database has the format that `pg_restore` reads. The caller must sync the file.
///
/// # Errors
/// Returns [`BackupError`] if the copy fails. The file is then not usable.
pub async fn copy(location: &Location, to: &std::path::Path) -> Result<(), BackupError> {
    match location {
        Location::Sqlite(path) => Sqlite::copy(path, to).await,
        Location::Postgres(options) => Postgres::dump(options, to).await,
        #[cfg(feature = "simulation")]
        Location::Simulated(database) => database.copy(to).await,
    }
}

/// Migrates a Postgres database and grants a role exactly the privileges that a server needs. The
/// role may read and add events of a log, but it may not change or remove them. If a password is
/// given, the role gets this password and is created if it does not exist.
///
/// # Errors
/// Returns [`GrantError`] if the migration or the grant fails. The role's privileges are then
/// unchanged.
pub async fn grant(location: &Location, role: &str, password: Option<&str>) -> Result<(), GrantError> {
    match location {
        Location::Sqlite(_) => Err(GrantError::NoRoles { location: location.clone() }),
        Location::Postgres(options) => Postgres::grant(options, role, password).await,
        #[cfg(feature = "simulation")]
        Location::Simulated(_) => Err(GrantError::NoRoles { location: location.clone() }),
    }
}

impl Store {
    /// Opens the database and migrates its schema. The store opens at most `max_connections`
    /// connections, plus the connections that only append.
    ///
    /// # Errors
    /// Returns [`ConnectError`] if the file is broken, the server is down, a setting of the server
    /// could cause the loss of acknowledged moves, or the schema is newer than this program.
    pub async fn connect(location: &Location, max_connections: u32) -> Result<Self, ConnectError> {
        Self::connect_with(location, max_connections, CommitGrouping::default()).await
    }

    /// Opens the database like [`connect`](Self::connect), with a setting for how appends share
    /// commits.
    ///
    /// # Errors
    /// Returns the same errors as [`connect`](Self::connect).
    pub async fn connect_with(
        location: &Location,
        max_connections: u32,
        grouping: CommitGrouping,
    ) -> Result<Self, ConnectError> {
        Ok(match location {
            Location::Sqlite(path) => {
                Self::with_sqlite(Sqlite::connect(path, max_connections).await?, grouping)
            }
            Location::Postgres(options) => {
                let postgres =
                    Postgres::connect(options.as_ref(), max_connections, grouping.connections).await?;
                Self::with_postgres(postgres, grouping)
            }
            #[cfg(feature = "simulation")]
            Location::Simulated(database) => Self::with_simulated(database.connect().await?, grouping),
        })
    }

    /// Opens the database read-only. This creates no file and runs no migration. Writes to the
    /// returned store fail. Returns `None` if the database is a file that does not exist but could
    /// be created.
    ///
    /// # Errors
    /// Returns [`ConnectError`] in the same cases as [`connect`](Self::connect).
    pub async fn open_read_only(location: &Location) -> Result<Option<(Self, Schema)>, ConnectError> {
        let grouping = CommitGrouping { connections: 1, ..CommitGrouping::default() };
        match location {
            Location::Sqlite(path) => {
                Sqlite::check_writable(path)?;
                let opened = Sqlite::open_read_only(path).await?;
                Ok(opened.map(|(sqlite, schema)| (Self::with_sqlite(sqlite, grouping), schema)))
            }
            Location::Postgres(options) => {
                let (postgres, schema) = Postgres::open_read_only(options.as_ref()).await?;
                Ok(Some((Self::with_postgres(postgres, grouping), schema)))
            }
            #[cfg(feature = "simulation")]
            Location::Simulated(database) => {
                let schema = database.schema();
                Ok(Some((Self::with_simulated(database.connect().await?, grouping), schema)))
            }
        }
    }

    fn with_sqlite(sqlite: Sqlite, grouping: CommitGrouping) -> Self {
        let writers = Writers::start(&sqlite, CommitGrouping { connections: 1, ..grouping });
        Self { database: Database::Sqlite(sqlite), writers, unarchived: ArchiveQueue::default(), owner: None }
    }

    fn with_postgres(postgres: Postgres, grouping: CommitGrouping) -> Self {
        let writers = Writers::start(&postgres, grouping);
        Self {
            database: Database::Postgres(postgres),
            writers,
            unarchived: ArchiveQueue::default(),
            owner: None,
        }
    }

    #[cfg(feature = "simulation")]
    fn with_simulated(database: SimulatedDatabase, grouping: CommitGrouping) -> Self {
        let writers = Writers::start(&database, grouping);
        Self {
            database: Database::Simulated(database),
            writers,
            unarchived: ArchiveQueue::default(),
            owner: None,
        }
    }

    /// Sends a query to the database to check that it answers.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database does not answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.ping().await
    }

    /// Closes all connections. Waiting appends are committed first.
    pub async fn close(&self) {
        self.writers.close().await;
        self.database.close().await;
    }

    /// Appends the events of one command to the log of a match, and returns the number of the last
    /// event. Either all events are written or none. When this function returns `Ok`, the events
    /// are durable.
    ///
    /// Appends to different matches that arrive at the same time share a commit. Each append has
    /// its own outcome.
    ///
    /// If the command redeems an invite, the invite must belong to the match's table and must not
    /// have expired. A single-use invite must not have been used by another user.
    ///
    /// # Errors
    /// Returns [`AppendError`] if the events are not known to be durable. If the error is
    /// `Unknown`, the events may have been written; after any other error nothing was written.
    pub async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let entry = EncodedAppend::of(append);
        let next = entry.next.as_ref().map(|next| next.match_id);
        let to_archive = entry.phase.map(|_| entry.match_id).into_iter().chain(next);
        let to_archive: Vec<MatchId> = to_archive.collect();
        let appended = self.writers.append(entry).await;
        metrics::METRICS.appends.inc(metrics::outcome(&appended));
        if !to_archive.is_empty() && matches!(appended, Ok(_) | Err(AppendError::Unknown(_))) {
            self.unarchived.add(to_archive);
        }
        appended
    }
}
