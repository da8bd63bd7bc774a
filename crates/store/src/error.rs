//! Errors of the store.

use std::error::Error;
use std::path::PathBuf;

use quadrex_protocol::MatchId;

use super::location::Location;
use super::metrics::METRICS;

/// A fault of the database or of its content. It is never caused by an invalid command. The chain
/// of sources has the details.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database returned an error or did not answer.
    #[error("the database could not {doing}")]
    Database {
        /// The failed action, as a verb phrase such as "add a user".
        doing: &'static str,
        /// The error of the database or of the connection to it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An event of a log has a form that this program never writes.
    #[error("event {seq} of match {match_id} cannot be read back")]
    UnreadableEvent {
        /// The match.
        match_id: MatchId,
        /// The number of the event.
        seq: u64,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A log has a gap or ends before its head.
    #[error("the log of match {match_id} lacks event {seq}")]
    MissingEvent {
        /// The match.
        match_id: MatchId,
        /// The number of the first missing event.
        seq: u64,
    },
    /// A column of a table other than the log has a value that this program never writes.
    #[error("{what} cannot be read back: {value}")]
    UnreadableRow {
        /// The column.
        what: &'static str,
        /// The value in the column, or the error of reading it.
        value: String,
    },
}

impl StoreError {
    /// Returns a function for `map_err` that counts an error, and makes a [`StoreError::Database`]
    /// with this failed action.
    pub(super) fn database(doing: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| {
            METRICS.errors.inc();
            Self::Database { doing, source: Box::new(source) }
        }
    }
}

/// The reason why the store was not opened. The message is one line that names the database and the
/// problem.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The setting `database.url` is neither a SQLite nor a Postgres URL.
    #[error("database.url must begin with sqlite: or postgres://, or be empty; {reason}")]
    Url {
        /// The reason why the URL is invalid. It does not contain the password.
        reason: String,
    },
    /// The password file contains no password.
    #[error("database.password_file: {}: {reason}", file.display())]
    PasswordFile {
        /// The file.
        file: PathBuf,
        /// The problem with the file.
        reason: String,
    },
    /// The folder of the database file could not be created.
    #[error("the folder for {location} cannot be made: {source}")]
    Folder {
        /// The database.
        location: Location,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not a database, or it is damaged.
    #[error("{location} is broken: {reason}")]
    Broken {
        /// The database.
        location: Location,
        /// The error of the database.
        reason: String,
    },
    /// The database cannot be reached or opened.
    #[error("{location} cannot be opened: {reason}")]
    Unreachable {
        /// The database.
        location: Location,
        /// The error of the database or the system.
        reason: String,
    },
    /// The database server has a setting with which acknowledged moves could be lost.
    #[error("{location} may not hold matches: {setting} is {value}, it must be {wanted}")]
    Unsafe {
        /// The database.
        location: Location,
        /// The setting.
        setting: &'static str,
        /// The value of the setting.
        value: String,
        /// The required value.
        wanted: &'static str,
    },
    /// The schema was written by a newer version of this program.
    #[error("{location} has schema {found}, this program knows schemas up to {known}: use a newer quadrex")]
    Newer {
        /// The database.
        location: Location,
        /// The unknown schema's number.
        found: i64,
        /// The number of the newest schema that this program knows.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("{location} cannot be brought to this program's schema: {reason}")]
    Migration {
        /// The database.
        location: Location,
        /// The reason.
        reason: String,
    },
    /// Several servers cannot share a SQLite file.
    #[error("{location} cannot be shared by the servers of a cluster: use PostgreSQL")]
    NoCluster {
        /// The database.
        location: Location,
    },
    /// The role lacks a privilege that a server needs.
    #[error(
        "{location} does not let role {role} {missing_privilege}: run `quadrex database grant --role {role}` with the database \
         owner's DATABASE_URL"
    )]
    Role {
        /// The database.
        location: Location,
        /// The role with which the server connects.
        role: String,
        /// The missing privilege, as a verb phrase.
        missing_privilege: String,
    },
}

/// The reason why a role was not granted a server's privileges. The message is one line that names
/// the database and the problem.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The database cannot be opened, or brought to this program's schema.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database is a SQLite file, which has no roles.
    #[error("{location} has no roles: anyone who can write the file can change all of it")]
    NoRoles {
        /// The database.
        location: Location,
    },
    /// The role does not exist, and no password was given to create it.
    #[error(
        "{location} has no role {role}: create it there with login and a password, or give --password-file"
    )]
    NoRole {
        /// The database.
        location: Location,
        /// The role's name.
        role: String,
    },
    /// The privileges cannot be granted, or the role has more privileges than a server may have.
    #[error("{location} cannot have {role} as a server's role: {reason}")]
    Refused {
        /// The database.
        location: Location,
        /// The role's name.
        role: String,
        /// The excessive privilege, or the error of the database.
        reason: String,
    },
}

/// The reason why a database was not copied. The message is one line that names the database and
/// the problem.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be opened, or it was not made by this program.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database is empty because no server has used it yet.
    #[error("{location} holds nothing yet")]
    Nothing {
        /// The database.
        location: Location,
    },
    /// The program that makes the copy is not installed.
    #[error(
        "{0} is not in PATH: install PostgreSQL's client programs (Debian: apt-get install postgresql-client)"
    )]
    NoProgram(&'static str),
    /// The copy was not made, or it is incomplete.
    #[error("{location} cannot be copied: {reason}")]
    Copy {
        /// The database.
        location: Location,
        /// The error of the database or of the program that makes the copy.
        reason: String,
    },
}

/// Returns the error for a column with a value that this program never writes.
pub(super) fn unreadable(what: &'static str, value: impl ToString) -> StoreError {
    StoreError::UnreadableRow { what, value: value.to_string() }
}

/// Decodes the sequence number or epoch in a column.
pub(super) fn read_seq(what: &'static str, seq: i64) -> Result<u64, StoreError> {
    u64::try_from(seq).map_err(|_| unreadable(what, seq))
}

/// The error of a step of a transaction.
#[derive(Debug)]
pub(super) enum TransactionError {
    /// The database failed.
    Database(sqlx::Error),
    /// A value cannot be read.
    Store(StoreError),
}

impl TransactionError {
    /// Returns a function that converts an error of the task `what`.
    pub(super) fn during(what: &'static str) -> impl Fn(Self) -> StoreError {
        move |error| match error {
            Self::Database(error) => StoreError::database(what)(error),
            Self::Store(error) => error,
        }
    }
}

impl From<sqlx::Error> for TransactionError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for TransactionError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
