//! The connection to the SQLite database in memory, and its execution within one poll.

use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

use sqlx::sqlite::{SqliteConnectOptions, SqliteOwnedBuf};
use sqlx::{ConnectOptions, SqliteConnection};

use crate::sqlite::MIGRATIONS;

/// The number of prepared statements that a connection keeps. There are fewer statements.
const STATEMENTS: usize = 2_000;

/// The empty database, once one was needed or given. Copying it is much faster than running the
/// migrations.
static EMPTY: OnceLock<Vec<u8>> = OnceLock::new();

/// Returns a database with the schema of this program and without rows, as the bytes of a SQLite file.
pub(super) fn empty() -> &'static [u8] {
    EMPTY.get_or_init(|| block_on(migrate()).expect("the migrations work"))
}

/// Uses these bytes as the empty database, unless there is one already.
pub(super) fn set_empty(bytes: Vec<u8>) {
    EMPTY.get_or_init(|| bytes);
}

/// Polls a future until it is ready. Statements of SQLite are awaited in this way: a thread of `sqlx`
/// executes them, and it never waits for this thread.
///
/// Until then it lets that thread run. In a simulation both are on one processor.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        std::thread::yield_now();
    }
}

/// Opens a database with the schema of this program and without rows.
pub(super) fn open() -> SqliteConnection {
    let bytes = SqliteOwnedBuf::try_from(empty()).expect("there is memory for the schema");
    let opened = async {
        let mut connection = options().connect().await?;
        connection.deserialize(None, bytes, false).await?;
        // Nothing must be synced, because the data does not outlive the process.
        let pragmas = "pragma synchronous = off; pragma journal_mode = memory";
        sqlx::raw_sql(pragmas).execute(&mut connection).await?;
        Ok::<_, sqlx::Error>(connection)
    };
    block_on(opened).expect("there is memory for a database")
}

/// Returns the content of a database as the bytes of a SQLite file.
pub(super) fn serialize(connection: &mut SqliteConnection) -> Vec<u8> {
    block_on(copy(connection)).expect("there is memory for a copy")
}

async fn migrate() -> Result<Vec<u8>, sqlx::Error> {
    let mut connection = options().connect().await?;
    MIGRATIONS.run_direct(None, &mut connection, false).await?;
    // These columns have the system's time and the duration of each migration.
    let reset =
        "update _sqlx_migrations set installed_on = '1970-01-01 00:00:00', execution_time = 0; vacuum";
    sqlx::raw_sql(reset).execute(&mut connection).await?;
    copy(&mut connection).await
}

async fn copy(connection: &mut SqliteConnection) -> Result<Vec<u8>, sqlx::Error> {
    Ok(connection.serialize(None).await?.to_vec())
}

fn options() -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(":memory:")
        .foreign_keys(true)
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging()
}
