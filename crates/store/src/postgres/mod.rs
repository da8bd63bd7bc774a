//! The store on a Postgres server.

mod append;
mod archive;
mod away;
mod dump;
mod handovers;
mod heartbeat;
mod log;
mod node;
mod requests;
mod roles;
mod tables;
mod users;

pub(super) use node::PostgresLock;

use std::time::Duration;

use quadrex_rules::Timestamp;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use time::OffsetDateTime;

use super::error::{ConnectError, StoreError};
use super::location::Location;
use super::schema::{self, Schema};
use crate::error_chain::reason;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// How long the server may take to answer at the start, and a free connection to come later.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a migration waits for a lock. Whoever asks for a table meanwhile waits behind it, running servers too.
const LOCK_PATIENCE: Duration = Duration::from_secs(3);

/// The key of the lock under which migrations run: the letters of "Migrate".
const MIGRATIONS_KEY: i64 = 0x004d_6967_7261_7465;

/// Interval between two attempts to get this lock.
const MIGRATIONS_POLL: Duration = Duration::from_millis(25);

/// After a rest of this length a connection for appends is tried before it is used: it may be dead. Under load it is not
/// worth a question to the server for each commit.
const REST: Duration = Duration::from_secs(1);

/// An open Postgres database.
#[derive(Clone, Debug)]
pub(super) struct Postgres {
    pool: PgPool,
    /// A connection for each writer, so that appends never wait behind others' questions.
    appends: PgPool,
}

impl Postgres {
    pub(super) async fn connect(
        options: &PgConnectOptions,
        max_connections: u32,
        append_connections: u32,
    ) -> Result<Self, ConnectError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let mut connection = bring_up_to_date(options, &location).await?;
        roles::check_privileges(&mut connection, &location).await?;
        roles::warn_of_power(&mut connection, &location).await?;
        // The pool makes its own; that this one ends badly would change nothing.
        connection.close().await.ok();

        let pool = |connections| PgPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE);
        let appends = pool(append_connections)
            .test_before_acquire(false)
            .before_acquire(|connection, is| Box::pin(is_alive(connection, is.idle_for)));
        let unpooled = |error: sqlx::Error| unopened(&location, reason(&error));
        Ok(Self {
            pool: pool(max_connections).connect_with(options.clone()).await.map_err(unpooled)?,
            appends: appends.connect_with(options.clone()).await.map_err(unpooled)?,
        })
    }

    /// Opens the database for reading alone, as it is, and tells its schema.
    pub(super) async fn open_read_only(options: &PgConnectOptions) -> Result<(Self, Schema), ConnectError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let mut connection = open(options, &location).await?;
        check(&mut connection, &location).await?;
        let schema = schema_of(&mut connection, &location).await?;
        roles::check_migrations(&mut connection, &location, &schema).await?;
        if schema.pending.is_empty() {
            roles::check_privileges(&mut connection, &location).await?;
        }
        connection.close().await.ok();
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(PATIENCE);
        let options = options.clone().options([("default_transaction_read_only", "on")]);
        let pool = pool.connect_with(options).await;
        let pool = pool.map_err(|error| unopened(&location, reason(&error)))?;
        Ok((Self { appends: pool.clone(), pool }, schema))
    }

    pub(super) async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1").execute(&self.pool).await.map(drop).map_err(StoreError::database("answer"))
    }

    pub(super) async fn close(&self) {
        self.appends.close().await;
        self.pool.close().await;
    }
}

/// Connects to a server that keeps what it acknowledges, and runs the migrations that the database has not had.
async fn bring_up_to_date(
    options: &PgConnectOptions,
    location: &Location,
) -> Result<PgConnection, ConnectError> {
    let mut connection = open(options, location).await?;
    check(&mut connection, location).await?;
    let schema = schema_of(&mut connection, location).await?;
    roles::check_migrations(&mut connection, location, &schema).await?;
    let patience = format!("set lock_timeout = {}", LOCK_PATIENCE.as_millis());
    let set = sqlx::query(AssertSqlSafe(patience)).execute(&mut connection).await;
    set.map_err(|error| unopened(location, reason(&error)))?;
    if !schema.pending.is_empty() {
        lock_migrations(&mut connection, location).await?;
        schema::migrate(&MIGRATIONS, &mut connection, &schema, location).await?;
        let unlock = sqlx::query("select pg_advisory_unlock($1)").bind(MIGRATIONS_KEY);
        unlock.execute(&mut connection).await.map_err(|error| unopened(location, reason(&error)))?;
    }
    Ok(connection)
}

/// Waits until no other program runs migrations, and locks them for this session. A lock that is waited for inside of a
/// statement would keep a snapshot for which an index that is made concurrently waits: the two would wait for each other.
async fn lock_migrations(connection: &mut PgConnection, location: &Location) -> Result<(), ConnectError> {
    let locked = async {
        loop {
            let attempt = sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(MIGRATIONS_KEY);
            if attempt.fetch_one(&mut *connection).await? {
                return Ok(());
            }
            tokio::time::sleep(MIGRATIONS_POLL).await;
        }
    };
    match tokio::time::timeout(PATIENCE, locked).await {
        Ok(locked) => locked.map_err(|error: sqlx::Error| unopened(location, reason(&error))),
        Err(_) => Err(ConnectError::Migration {
            location: location.clone(),
            reason: format!("another program has run migrations for more than {} s", PATIENCE.as_secs()),
        }),
    }
}

/// Connects. This first connection is made outside of a pool: a pool tries again and again until its patience ends, and
/// then no longer knows why.
async fn open(options: &PgConnectOptions, location: &Location) -> Result<PgConnection, ConnectError> {
    tokio::time::timeout(PATIENCE, PgConnection::connect_with(options))
        .await
        .map_err(|_| unopened(location, format!("no answer within {} s", PATIENCE.as_secs())))?
        .map_err(|error| unopened(location, reason(&error)))
}

fn unopened(location: &Location, reason: String) -> ConnectError {
    ConnectError::Unreachable { location: location.clone(), reason }
}

/// How far the database's schema is.
async fn schema_of(connection: &mut PgConnection, location: &Location) -> Result<Schema, ConnectError> {
    let unopened = |error: sqlx::Error| unopened(location, reason(&error));
    let is_there: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
        .fetch_one(&mut *connection)
        .await
        .map_err(unopened)?;
    if !is_there {
        return Ok(schema::empty(&MIGRATIONS));
    }
    roles::check_migrations_readable(connection, location).await?;
    let applied: Vec<schema::Applied> =
        sqlx::query_as("select version, description, success, checksum from _sqlx_migrations")
            .fetch_all(connection)
            .await
            .map_err(unopened)?;
    schema::compare(&MIGRATIONS, &applied, location)
}

/// Whether a connection that rested may be used.
async fn is_alive(connection: &mut PgConnection, rested: Duration) -> Result<bool, sqlx::Error> {
    Ok(rested < REST || connection.ping().await.is_ok())
}

/// Refuses a server that could lose what it has acknowledged, or cannot be written to.
async fn check(connection: &mut PgConnection, location: &Location) -> Result<(), ConnectError> {
    let (fsync, full_page_writes, synchronous_commit, standby): (String, String, String, bool) =
        sqlx::query_as(
            "select current_setting('fsync'), current_setting('full_page_writes'),
                    current_setting('synchronous_commit'), pg_is_in_recovery()",
        )
        .fetch_one(connection)
        .await
        .map_err(|error| unopened(location, reason(&error)))?;
    let unsafe_setting = |setting, value: String, wanted| {
        Err(ConnectError::Unsafe { location: location.clone(), setting, value, wanted })
    };
    if standby {
        return unsafe_setting("pg_is_in_recovery()", "true (a standby)".into(), "false (the primary)");
    }
    let settings = [
        ("fsync", fsync),
        ("full_page_writes", full_page_writes),
        ("synchronous_commit", synchronous_commit),
    ];
    for (setting, value) in settings {
        if value == "off" {
            return unsafe_setting(setting, value, "on");
        }
    }
    Ok(())
}

/// A moment as a column holds it.
fn datetime(at: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.as_millis()) * 1_000_000)
        .expect("no clock runs past the year 9999")
}

/// A moment as it was kept.
fn moment(what: &'static str, at: OffsetDateTime) -> Result<Timestamp, StoreError> {
    u64::try_from(at.unix_timestamp_nanos().div_euclid(1_000_000))
        .map(Timestamp::from_millis)
        .map_err(|_| super::error::unreadable(what, at))
}
