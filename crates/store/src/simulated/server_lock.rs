//! The server lock of a simulated database: a lock of a session, and a row in the table `nodes`, as
//! on Postgres.

use std::time::Duration;

use quadrex_rules::Timestamp;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::SimulatedDatabase;
use super::connection::block_on;
use super::faults::Access;
use super::session::{DatabaseLock, Session, SessionId};
use super::transaction::atomically;
use crate::database::answered;
use crate::error::{ConnectError, StoreError};
use crate::error_chain::reason;
use crate::location::Location;
use crate::server_lock::{LEASE_DURATION, LockClaim, LockHolder};
use crate::time_column::TimeColumn;

/// The time between two looks at the lease of another server.
const RETRY_INTERVAL: Duration = Duration::from_millis(25);

/// The server lock, held by a session.
#[derive(Debug)]
pub(crate) struct SimulatedServerLock {
    database: SimulatedDatabase,
    session: Option<Session>,
    /// The current or last session.
    last: SessionId,
}

impl SimulatedServerLock {
    pub(crate) async fn attempt(
        database: &SimulatedDatabase,
        claim: LockClaim,
    ) -> Result<Result<Self, Option<LockHolder>>, ConnectError> {
        let attempt = async {
            let session = Session::open(database).await?;
            if !session.try_lock(DatabaseLock::Exclusive) {
                let holder = holder(database, &session).await?;
                let has_expired = holder.as_ref().is_some_and(|holder| holder.has_expired);
                if claim == LockClaim::Free || !has_expired {
                    return Ok(Err(holder));
                }
                database.sessions(|sessions| sessions.end_holders(session.id()));
                if !session.try_lock(DatabaseLock::Exclusive) {
                    return Ok(Err(holder));
                }
            } else if claim == LockClaim::FreeOrExpired {
                // A server that lost its connection, and with it the lock, may still answer requests
                // until its lease expires.
                while holder(database, &session).await?.is_some_and(|holder| !holder.has_expired) {
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
            }
            let last = session.id();
            Ok(Ok(Self { database: database.clone(), session: Some(session), last }))
        };
        answered(attempt).await.map_err(|error| ConnectError::Unreachable {
            location: Location::Simulated(database.clone()),
            reason: reason(&error),
        })
    }

    pub(crate) fn reset(&mut self) {
        self.session = None;
    }

    pub(crate) async fn register(&mut self, id: Uuid, name: &str) -> Result<(), StoreError> {
        let doing = "write the server's row";
        let database = self.database.clone();
        let register = async {
            let session = self.session(id).await?.ok_or(sqlx::Error::PoolClosed)?;
            session.execute(Access::Write, doing, |connection| add_row(connection, &database, id, name)).await
        };
        answered(register).await.map_err(StoreError::database(doing))
    }

    /// Renews the lease. A broken session is replaced by a new session. Returns false if another
    /// server has taken the lock.
    pub(crate) async fn renew(&mut self, id: Uuid, alive_at: Timestamp) -> Result<bool, StoreError> {
        let doing = "renew the lease";
        let database = self.database.clone();
        let renewed = async {
            let Some(session) = self.session(id).await? else { return Ok(false) };
            session
                .execute(Access::Write, doing, |connection| renew(connection, &database, id, alive_at))
                .await
        };
        let renewed = renewed.await;
        if renewed.is_err() {
            self.session = None;
        }
        renewed.map_err(StoreError::database(doing))
    }

    pub(crate) async fn remove(&mut self, id: Uuid) -> Result<(), StoreError> {
        let doing = "remove the server's row";
        let Some(session) = self.session.take() else { return Ok(()) };
        let delete = sqlx::query("delete from nodes where id = $1").bind(id);
        let remove = session.execute(Access::Write, doing, |connection| block_on(delete.execute(connection)));
        answered(remove).await.map(drop).map_err(StoreError::database(doing))
    }

    /// Returns a session that holds the lock. Returns `None` if another server has the lock and has
    /// removed this server's row.
    async fn session(&mut self, id: Uuid) -> Result<Option<&Session>, sqlx::Error> {
        if self.session.is_none() {
            let session = Session::open(&self.database).await?;
            self.database.sessions(|sessions| sessions.end(self.last));
            if !session.try_lock(DatabaseLock::Exclusive) {
                let is_ours =
                    sqlx::query_scalar("select exists (select 1 from nodes where id = $1)").bind(id);
                let is_ours: bool = session
                    .execute(Access::Read, "look up the server's row", |connection| {
                        block_on(is_ours.fetch_one(connection))
                    })
                    .await?;
                return if is_ours { Err(sqlx::Error::PoolTimedOut) } else { Ok(None) };
            }
            self.last = session.id();
            self.session = Some(session);
        }
        Ok(self.session.as_ref())
    }
}

/// Returns the server with the newest row, if there is a row.
async fn holder(database: &SimulatedDatabase, session: &Session) -> Result<Option<LockHolder>, sqlx::Error> {
    let holder = |connection: &mut SqliteConnection| {
        let query = sqlx::query_as(
            "select name, strftime('%Y-%m-%d %H:%M:%S', since_ms / 1000, 'unixepoch') as since,
                    lease_until_ms < $1 as has_expired
             from nodes order by renewed_at_ms desc limit 1",
        );
        block_on(query.bind(database.now()).fetch_optional(connection))
    };
    session.execute(Access::Read, "look up the holder of the lock", holder).await
}

fn lease_ms() -> i64 {
    i64::try_from(LEASE_DURATION.as_millis()).unwrap_or(i64::MAX)
}

fn add_row(
    connection: &mut SqliteConnection,
    database: &SimulatedDatabase,
    id: Uuid,
    name: &str,
) -> Result<(), sqlx::Error> {
    let delete = sqlx::query("delete from nodes");
    let insert = sqlx::query(
        "insert into nodes (id, name, since_ms, renewed_at_ms, lease_until_ms) values ($1, $2, $3, $3, $3 + $4)",
    );
    let insert = insert.bind(id).bind(name).bind(database.now()).bind(lease_ms());
    atomically(connection, |connection| {
        block_on(async {
            delete.execute(&mut *connection).await?;
            insert.execute(connection).await.map(drop)
        })
    })?;
    database.record_renewal(LEASE_DURATION);
    Ok(())
}

/// Renews the lease and records a heartbeat. Returns false if the server's row is missing.
fn renew(
    connection: &mut SqliteConnection,
    database: &SimulatedDatabase,
    id: Uuid,
    alive_at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let renew = sqlx::query("update nodes set renewed_at_ms = $2, lease_until_ms = $2 + $3 where id = $1");
    let renew = renew.bind(id).bind(database.now()).bind(lease_ms());
    let record = sqlx::query(
        "insert into server_life (id, alive_at_ms) values (1, $1)
         on conflict (id) do update set alive_at_ms = excluded.alive_at_ms",
    );
    let record = record.bind(TimeColumn::from(alive_at));
    // No other statement comes between the two, because this is one access.
    block_on(async {
        if renew.execute(&mut *connection).await?.rows_affected() == 0 {
            return Ok(false);
        }
        database.record_renewal(LEASE_DURATION);
        record.execute(connection).await.map(|_| true)
    })
}
