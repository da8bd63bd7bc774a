//! The store on a Postgres server.

pub(super) mod append;
mod append_statements;
mod dump;
mod node_session;
mod roles;
mod server_lock;

pub(super) use node_session::PostgresNodeSession;
pub(super) use server_lock::PostgresServerLock;

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::error::ConnectError;
use super::location::Location;
use super::schema::{self, Schema};
use crate::error_chain::reason;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// The time after which the database ends a session that leaves a transaction open, in milliseconds.
/// A server that stands still or is lost within a transaction would otherwise block its matches for
/// others. It is shorter than the time until others take the matches over.
const IDLE_IN_TRANSACTION_MS: &str = "4000";

/// The time limit for connecting at the start, and for waiting for a free connection later.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The time for which a migration waits for the lock of a table. During this time queries of that
/// table wait too, including queries of running servers.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// The key of the advisory lock for migrations: the letters of "Migrate".
const MIGRATIONS_KEY: i64 = 0x004d_6967_7261_7465;

/// The time between two attempts to acquire the lock for migrations.
const MIGRATIONS_POLL: Duration = Duration::from_millis(25);

/// The idle time after which a connection for appends is tested before use, because an idle
/// connection may be broken. A connection that was used more recently is not tested, because the
/// test costs a round trip.
const IDLE_BEFORE_TEST: Duration = Duration::from_secs(1);

/// An open Postgres database.
#[derive(Clone, Debug)]
pub(super) struct Postgres {
    pub(super) pool: PgPool,
    /// The connections of the writers. They are separate so that appends never wait for other
    /// queries.
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
        let checked = async {
            roles::check_privileges(&mut connection, &location).await?;
            roles::warn_of_rights_over_log(&mut connection, &location).await?;
            // The pool opens its own connections, so an error when this connection is closed does not
            // matter.
            connection.close().await.ok();
            Ok(())
        };
        in_time(&location, checked).await?;

        let pool =
            |connections| PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
        let appends = pool(append_connections)
            .test_before_acquire(false)
            .before_acquire(|connection, is| Box::pin(is_alive(connection, is.idle_for)));
        let unpooled = |error: sqlx::Error| cannot_open(&location, reason(&error));
        let options =
            options.clone().options([("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MS)]);
        Ok(Self {
            pool: pool(max_connections).connect_with(options.clone()).await.map_err(unpooled)?,
            appends: appends.connect_with(options).await.map_err(unpooled)?,
        })
    }

    /// Opens the database read-only, and returns its schema too.
    pub(super) async fn open_read_only(options: &PgConnectOptions) -> Result<(Self, Schema), ConnectError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let mut connection = open(options, &location).await?;
        let checked = async {
            check(&mut connection, &location).await?;
            let schema = schema_of(&mut connection, &location).await?;
            roles::check_migrations(&mut connection, &location, &schema).await?;
            if schema.pending.is_empty() {
                roles::check_privileges(&mut connection, &location).await?;
            }
            connection.close().await.ok();
            Ok(schema)
        };
        let schema = in_time(&location, checked).await?;
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(ACQUIRE_TIMEOUT);
        let options = options.clone().options([("default_transaction_read_only", "on")]);
        let pool = pool.connect_with(options).await;
        let pool = pool.map_err(|error| cannot_open(&location, reason(&error)))?;
        Ok((Self { appends: pool.clone(), pool }, schema))
    }

    pub(super) async fn close(&self) {
        self.appends.close().await;
        self.pool.close().await;
    }
}

/// Connects to a server, checks that the server does not lose acknowledged commits, and runs the
/// pending migrations. Returns the connection.
async fn bring_up_to_date(
    options: &PgConnectOptions,
    location: &Location,
) -> Result<PgConnection, ConnectError> {
    let mut connection = open(options, location).await?;
    let checked = async {
        check(&mut connection, location).await?;
        let schema = schema_of(&mut connection, location).await?;
        roles::check_migrations(&mut connection, location, &schema).await?;
        let timeout = format!("set lock_timeout = {}", LOCK_TIMEOUT.as_millis());
        let set = sqlx::query(AssertSqlSafe(timeout)).execute(&mut connection).await;
        set.map_err(|error| cannot_open(location, reason(&error)))?;
        Ok(schema)
    };
    let schema = in_time(location, checked).await?;
    if !schema.pending.is_empty() {
        lock_migrations(&mut connection, location).await?;
        schema::migrate(&MIGRATIONS, &mut connection, &schema, location).await?;
        let unlock = sqlx::query("select pg_advisory_unlock($1)").bind(MIGRATIONS_KEY);
        let unlocked = async {
            unlock.execute(&mut connection).await.map_err(|error| cannot_open(location, reason(&error)))
        };
        in_time(location, unlocked).await?;
    }
    Ok(connection)
}

/// Acquires the lock for migrations for this session, by polling. A statement that waited for the
/// lock would hold a snapshot. If the program that has the lock creates an index concurrently, that
/// program waits until the snapshot ends, so the two programs would wait for each other.
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
    match tokio::time::timeout(ACQUIRE_TIMEOUT, locked).await {
        Ok(locked) => locked.map_err(|error: sqlx::Error| cannot_open(location, reason(&error))),
        Err(_) => Err(ConnectError::Migration {
            location: location.clone(),
            reason: format!(
                "another program has run migrations for more than {} s",
                ACQUIRE_TIMEOUT.as_secs()
            ),
        }),
    }
}

/// Connects without a pool. A pool would try again until its timeout, and then not report the
/// reason of the failure.
async fn open(options: &PgConnectOptions, location: &Location) -> Result<PgConnection, ConnectError> {
    let opened = async {
        PgConnection::connect_with(options).await.map_err(|error| cannot_open(location, reason(&error)))
    };
    in_time(location, opened).await
}

/// Waits for the answers of a server that is being connected, but not for ever: it may have stopped
/// answering, and everything waits for this connection.
async fn in_time<T>(
    location: &Location,
    answers: impl Future<Output = Result<T, ConnectError>>,
) -> Result<T, ConnectError> {
    let text = || format!("no answer within {} s", ACQUIRE_TIMEOUT.as_secs());
    tokio::time::timeout(ACQUIRE_TIMEOUT, answers)
        .await
        .unwrap_or_else(|_| Err(cannot_open(location, text())))
}

fn cannot_open(location: &Location, reason: String) -> ConnectError {
    ConnectError::Unreachable { location: location.clone(), reason }
}

/// Returns the state of the database's schema.
async fn schema_of(connection: &mut PgConnection, location: &Location) -> Result<Schema, ConnectError> {
    let cannot_open = |error: sqlx::Error| cannot_open(location, reason(&error));
    let is_there: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
        .fetch_one(&mut *connection)
        .await
        .map_err(cannot_open)?;
    if !is_there {
        return Ok(schema::empty(&MIGRATIONS));
    }
    roles::check_migrations_readable(connection, location).await?;
    let applied: Vec<schema::Applied> =
        sqlx::query_as("select version, description, success, checksum from _sqlx_migrations")
            .fetch_all(connection)
            .await
            .map_err(cannot_open)?;
    schema::compare(&MIGRATIONS, &applied, location)
}

/// Returns true if `connection`, which was idle for the time `idle`, may be used.
async fn is_alive(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    Ok(idle < IDLE_BEFORE_TEST || connection.ping().await.is_ok())
}

/// The settings on which the durability of commits depends.
#[derive(sqlx::FromRow)]
struct Durability {
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
    standby: bool,
}

/// Refuses a server that could lose acknowledged commits, or is read-only.
async fn check(connection: &mut PgConnection, location: &Location) -> Result<(), ConnectError> {
    let Durability { fsync, full_page_writes, synchronous_commit, standby } = sqlx::query_as(
        "select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
                current_setting('synchronous_commit') as synchronous_commit,
                pg_is_in_recovery() as standby",
    )
    .fetch_one(connection)
    .await
    .map_err(|error| cannot_open(location, reason(&error)))?;
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
