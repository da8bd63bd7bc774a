//! The store on a SQLite file. It uses one connection that writes and a few connections that read,
//! in WAL mode, and syncs every commit.

pub(super) mod append;
mod copy;
mod damage;
mod open_read_only;
mod server_lock;

pub(super) use server_lock::SqliteServerLock;

use std::path::Path;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, SqliteConnection};

use super::error::ConnectError;
use super::location::Location;
use super::schema::{self, Schema};
use crate::error_chain::reason;

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite");

/// The time for which a connection waits for a lock that another connection holds. Only other
/// processes, such as a backup, hold a lock for long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// SQLite's error codes for a file that is not a database, and for a damaged database
/// (sqlite.org/rescode.html: 26, 11).
const BROKEN: [&str; 2] = ["26", "11"];

/// An open SQLite file.
#[derive(Clone, Debug)]
pub(super) struct Sqlite {
    /// A pool of one connection, because SQLite allows one writer at a time. The pool queues the
    /// tasks that write.
    pub(super) writer: SqlitePool,
    pub(super) readers: SqlitePool,
}

impl Sqlite {
    pub(super) async fn connect(path: &Path, max_connections: u32) -> Result<Self, ConnectError> {
        let location = Location::Sqlite(path.to_owned());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| ConnectError::Folder { location: location.clone(), source })?;
        }
        ensure_not_empty(path, &location)?;
        let readers = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .pragma("query_only", "on");
        let writer_options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);

        let opened = |error: sqlx::Error| cannot_open(&location, &error);
        let writer = pool(1).after_release(|connection, _| Box::pin(is_usable(connection)));
        #[cfg(feature = "faults")]
        let writer =
            writer.before_acquire(|connection, _| Box::pin(super::fault_injection::limit_pages(connection)));
        let writer = writer.connect_with(writer_options).await.map_err(opened)?;
        let mut connection = writer.acquire().await.map_err(opened)?;
        damage::check_at_start(&mut connection, path).await?;
        let schema = schema_of(&mut connection, &location).await?;
        schema::migrate(&MIGRATIONS, &mut *connection, &schema, &location).await?;
        drop(connection);
        let readers = pool(max_connections).connect_with(readers).await.map_err(opened)?;
        Ok(Self { writer, readers })
    }

    /// Closes all connections, the writer last. The connection that is closed last merges the WAL
    /// into the database file, and only the writer may do this.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Refuses an empty file. The content of such a file has been lost, but SQLite would silently
/// create a new database in it.
fn ensure_not_empty(path: &Path, location: &Location) -> Result<(), ConnectError> {
    if std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0) {
        let reason =
            "the file is empty: put a backup in its place, or remove it to begin a new database".to_owned();
        return Err(ConnectError::Broken { location: location.clone(), reason });
    }
    Ok(())
}

/// Returns the options of a pool whose connections stay open. A connection to a file does not
/// become stale.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Returns false if `sqlx` still counts an open transaction of a connection. The pool then closes
/// the connection and opens a new connection. SQLite rolls back a transaction by itself when the
/// disk is full or cannot be written (sqlite.org/lang_transaction.html, "Response To Errors Within
/// A Transaction"). The rollback by `sqlx` then fails, `sqlx` still counts the transaction as open,
/// and every later transaction on the connection would fail too.
async fn is_usable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // The connection answers a ping after all earlier work, such as a pending rollback.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

/// Returns the state of the file's schema.
async fn schema_of(connection: &mut SqliteConnection, location: &Location) -> Result<Schema, ConnectError> {
    let cannot_open = |error: sqlx::Error| cannot_open(location, &error);
    let is_there: bool =
        sqlx::query_scalar("select exists (select 1 from sqlite_master where name = '_sqlx_migrations')")
            .fetch_one(&mut *connection)
            .await
            .map_err(cannot_open)?;
    if !is_there {
        return Ok(schema::empty(&MIGRATIONS));
    }
    let applied: Vec<schema::Applied> =
        sqlx::query_as("select version, description, success, checksum from _sqlx_migrations")
            .fetch_all(connection)
            .await
            .map_err(cannot_open)?;
    schema::compare(&MIGRATIONS, &applied, location)
}

fn cannot_open(location: &Location, error: &sqlx::Error) -> ConnectError {
    let (location, reason) = (location.clone(), reason(error));
    let code = error.as_database_error().and_then(|error| error.code());
    if code.is_some_and(|code| BROKEN.contains(&code.as_ref())) {
        ConnectError::Broken { location, reason }
    } else {
        ConnectError::Unreachable { location, reason }
    }
}

#[cfg(test)]
mod tests;
