//! What can go wrong with a database.

use std::error::Error;
use std::path::PathBuf;

use quadrex_protocol::MatchId;

use super::location::Location;

/// A fault of the database or of what it holds. Never the player's; the chain of sources tells all.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused, or did not answer.
    #[error("the database could not {doing}")]
    Database {
        /// What was asked of it, as a verb.
        doing: &'static str,
        /// What it, or the line to it, said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An event of a log is not what this program writes.
    #[error("event {seq} of match {match_id} cannot be read back")]
    UnreadableEvent {
        /// Which match.
        match_id: MatchId,
        /// Which event.
        seq: u64,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A log has a gap or ends before its head.
    #[error("the log of match {match_id} lacks event {seq}")]
    MissingEvent {
        /// Which match.
        match_id: MatchId,
        /// The first event that is not there.
        seq: u64,
    },
    /// A column of another row holds what this program does not write.
    #[error("{what} cannot be read back: {value}")]
    UnreadableRow {
        /// Which column.
        what: &'static str,
        /// What stands there.
        value: String,
    },
}

impl StoreError {
    /// For `map_err`: the database could not do this.
    pub(super) fn database(doing: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::Database { doing, source: Box::new(source) }
    }
}

/// Why the store was not opened: one line that says what and where.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// `database.url` is of neither kind.
    #[error("database.url must begin with sqlite: or postgres://, or be empty; {reason}")]
    Url {
        /// What is wrong with it, without the password.
        reason: String,
    },
    /// The file with the password gives none.
    #[error("database.password_file: {}: {reason}", file.display())]
    PasswordFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder of the database file could not be made.
    #[error("the folder for {location} cannot be made: {source}")]
    Folder {
        /// Which database.
        location: Location,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no database, or a damaged one.
    #[error("{location} is broken: {reason}")]
    Broken {
        /// Which database.
        location: Location,
        /// What the database said.
        reason: String,
    },
    /// The database cannot be reached or opened.
    #[error("{location} cannot be opened: {reason}")]
    Unreachable {
        /// Which database.
        location: Location,
        /// What the database or the system said.
        reason: String,
    },
    /// Acknowledged moves could be lost on this server.
    #[error("{location} may not hold matches: {setting} is {value}, it must be {wanted}")]
    Unsafe {
        /// Which database.
        location: Location,
        /// Which setting of it.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// A newer program wrote it.
    #[error("{location} has schema {found}, this program knows schemas up to {known}: use a newer quadrex")]
    Newer {
        /// Which database.
        location: Location,
        /// The unknown schema's number.
        found: i64,
        /// The newest known one.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("{location} cannot be brought to this program's schema: {reason}")]
    Migration {
        /// Which database.
        location: Location,
        /// What went wrong.
        reason: String,
    },
    /// The role may not do what a server needs.
    #[error(
        "{location} does not let role {role} {lacks}: run `quadrex database grant --role {role}` with the database \
         owner's DATABASE_URL"
    )]
    Role {
        /// Which database.
        location: Location,
        /// The role that the server connects as.
        role: String,
        /// What it may not do, as a verb.
        lacks: String,
    },
}

/// Why a role was not granted what a server needs: one line that says what and where.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The database cannot be opened, or brought to this program's schema.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A file knows nobody.
    #[error("{location} has no roles: whoever may write the file can change all of it")]
    NoRoles {
        /// Which database.
        location: Location,
    },
    /// There is no such role, and no password to make it with.
    #[error(
        "{location} has no role {role}: create it there with login and a password, or give --password-file"
    )]
    NoRole {
        /// Which database.
        location: Location,
        /// Its name.
        role: String,
    },
    /// It cannot be granted, or could do more than it should.
    #[error("{location} cannot have {role} as a server's role: {reason}")]
    Refused {
        /// Which database.
        location: Location,
        /// The role's name.
        role: String,
        /// What it can do all the same, or what the database said.
        reason: String,
    },
}

/// Why a database was not copied: one line that says what and where.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be opened, or is none of this program's.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// No server has run there.
    #[error("{location} holds nothing yet")]
    Nothing {
        /// Which database.
        location: Location,
    },
    /// The program that copies is not there.
    #[error(
        "{0} is not in PATH: install PostgreSQL's client programs (Debian: apt-get install postgresql-client)"
    )]
    NoProgram(&'static str),
    /// The copy was not made, or is not as it must be.
    #[error("{location} cannot be copied: {reason}")]
    Copy {
        /// Which database.
        location: Location,
        /// What the database or the program that copies said.
        reason: String,
    },
}

/// A column holds what this program does not write.
pub(super) fn unreadable(what: &'static str, value: impl ToString) -> StoreError {
    StoreError::UnreadableRow { what, value: value.to_string() }
}

/// A counting column as a number of events.
pub(super) fn read_seq(what: &'static str, seq: i64) -> Result<u64, StoreError> {
    u64::try_from(seq).map_err(|_| unreadable(what, seq))
}
