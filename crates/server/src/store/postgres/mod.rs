//! The store on a Postgres server.

mod append;
mod handovers;
mod life;
mod log;
mod tables;
mod users;

use std::time::Duration;

use quadrex_rules::Timestamp;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Connection, PgConnection};
use time::OffsetDateTime;

use super::connect::{migrate, reason};
use super::error::{ConnectError, StoreError};
use super::location::Location;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// How long the server may take to answer at the start, and a free connection to come later.
const PATIENCE: Duration = Duration::from_secs(10);

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
    /// The first connection is made outside of the pool: a pool tries again and again until its patience ends, and
    /// then no longer knows why.
    pub(super) async fn connect(
        options: &PgConnectOptions,
        max_connections: u32,
        append_connections: u32,
    ) -> Result<Self, ConnectError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let unopened = |reason: String| ConnectError::Unreachable { location: location.clone(), reason };

        let mut connection = tokio::time::timeout(PATIENCE, PgConnection::connect_with(options))
            .await
            .map_err(|_| unopened(format!("no answer within {} s", PATIENCE.as_secs())))?
            .map_err(|error| unopened(reason(&error)))?;
        check(&mut connection, &location).await?;
        migrate(&MIGRATIONS, &mut connection, &location).await?;
        // The pool makes its own; that this one ends badly would change nothing.
        connection.close().await.ok();

        let pool = |connections| PgPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE);
        let appends = pool(append_connections)
            .test_before_acquire(false)
            .before_acquire(|connection, is| Box::pin(is_alive(connection, is.idle_for)));
        let unpooled = |error: sqlx::Error| unopened(reason(&error));
        Ok(Self {
            pool: pool(max_connections).connect_with(options.clone()).await.map_err(unpooled)?,
            appends: appends.connect_with(options.clone()).await.map_err(unpooled)?,
        })
    }

    pub(super) async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1").execute(&self.pool).await.map(drop).map_err(StoreError::database("answer"))
    }

    pub(super) async fn close(&self) {
        self.appends.close().await;
        self.pool.close().await;
    }
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
        .map_err(|error| ConnectError::Unreachable { location: location.clone(), reason: reason(&error) })?;
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
