//! The server lock on Postgres: an advisory lock of a session, and a row in the table `nodes` that
//! is renewed in the same session.

use std::time::Duration;

use quadrex_rules::Timestamp;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::{cannot_open, open};
use crate::database::answered;
use crate::error::{ConnectError, StoreError};
use crate::error_chain::reason;
use crate::location::Location;
use crate::server_lock::{LEASE_DURATION, LockClaim, LockHolder};
use crate::time_column::TimeColumn;

/// The key of the advisory lock, which is the same for all servers: the letters of "Quadrex". A
/// server alone holds it exclusively, and the nodes of a cluster share it.
pub(super) const KEY: i64 = 0x0051_7561_6472_6578;

/// Terminates the other session that holds an advisory lock. If the second parameter is a process
/// id, only a session of this process is terminated.
pub(super) const TERMINATE_HOLDER: &str = "select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32) | objid::bigint = $1
       and pid <> pg_backend_pid() and ($2::integer is null or pid = $2)";

/// The number of attempts to acquire the lock after the session of its holder was terminated.
pub(super) const LOCK_ATTEMPTS: u32 = 20;

/// The time between two attempts to acquire the lock.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_millis(25);

/// The server lock, held by a session.
#[derive(Debug)]
pub(crate) struct PostgresServerLock {
    options: PgConnectOptions,
    session: Option<PgConnection>,
    /// The id of the database server's process for the current or last session.
    backend: i32,
}

impl PostgresServerLock {
    pub(crate) async fn attempt(
        options: &PgConnectOptions,
        claim: LockClaim,
    ) -> Result<Result<Self, Option<LockHolder>>, ConnectError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let mut session = open(options, &location).await?;
        let got = answered(attempt_on(&mut session, claim)).await;
        Ok(match got.map_err(|error| cannot_open(&location, reason(&error)))? {
            Ok(backend) => Ok(Self { options: options.clone(), session: Some(session), backend }),
            Err(holder) => Err(holder),
        })
    }

    pub(crate) fn reset(&mut self) {
        self.session = None;
    }

    pub(crate) async fn register(&mut self, id: Uuid, name: &str) -> Result<(), StoreError> {
        let doing = "write the server's row";
        let register = async {
            let session = self.session(id).await?.ok_or(sqlx::Error::PoolClosed)?;
            let mut transaction = session.begin().await?;
            sqlx::query("delete from nodes").execute(&mut *transaction).await?;
            sqlx::query(
                "insert into nodes (id, name, since, renewed_at, lease_until)
                 values ($1, $2, clock_timestamp(), clock_timestamp(), clock_timestamp() + $3)",
            )
            .bind(id)
            .bind(name)
            .bind(LEASE_DURATION)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await
        };
        answered(register).await.map_err(StoreError::database(doing))
    }

    /// Renews the lease. A broken session is replaced by a new session. Returns false if another
    /// server has taken the lock.
    pub(crate) async fn renew(&mut self, id: Uuid, alive_at: Timestamp) -> Result<bool, StoreError> {
        let renewed = match self.session(id).await {
            Ok(Some(session)) => renew_on(session, id, alive_at).await,
            Ok(None) => Ok(false),
            Err(error) => Err(error),
        };
        if renewed.is_err() {
            self.session = None;
        }
        renewed.map_err(StoreError::database("renew the lease"))
    }

    pub(crate) async fn remove(&mut self, id: Uuid) -> Result<(), StoreError> {
        let Some(mut session) = self.session.take() else { return Ok(()) };
        let remove = async {
            let remove = sqlx::query("delete from nodes where id = $1").bind(id);
            let removed = remove.execute(&mut session).await;
            session.close().await.ok();
            removed
        };
        answered(remove).await.map(drop).map_err(StoreError::database("remove the server's row"))
    }

    /// Returns a session that holds the lock. If the connection was lost, the database server may
    /// still have the old session with the lock, so this function terminates the old session.
    /// Returns `None` if another server has the lock and has removed this server's row.
    async fn session(&mut self, id: Uuid) -> Result<Option<&mut PgConnection>, sqlx::Error> {
        if self.session.is_none() {
            let mut session = PgConnection::connect_with(&self.options).await?;
            if !try_lock(&mut session, KEY).await? {
                let termination = sqlx::query(TERMINATE_HOLDER).bind(KEY).bind(Some(self.backend));
                termination.execute(&mut session).await?;
                if !lock_with_retries(&mut session).await? {
                    let is_ours: bool =
                        sqlx::query_scalar("select exists (select 1 from nodes where id = $1)")
                            .bind(id)
                            .fetch_one(&mut session)
                            .await?;
                    return if is_ours { Err(sqlx::Error::PoolTimedOut) } else { Ok(None) };
                }
            }
            self.backend = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut session).await?;
            self.session = Some(session);
        }
        Ok(self.session.as_mut())
    }
}

/// Tries to acquire the lock in a session. Returns the id of the database server's process for the
/// session if the lock was acquired, otherwise the holder of the lock.
async fn attempt_on(
    session: &mut PgConnection,
    claim: LockClaim,
) -> Result<Result<i32, Option<LockHolder>>, sqlx::Error> {
    if !try_lock(session, KEY).await? {
        let holder = holder(session).await?;
        let has_expired = holder.as_ref().is_some_and(|holder| holder.has_expired);
        if claim == LockClaim::Free || !has_expired {
            return Ok(Err(holder));
        }
        sqlx::query(TERMINATE_HOLDER).bind(KEY).bind(None::<i32>).execute(&mut *session).await?;
        if !lock_with_retries(session).await? {
            return Ok(Err(holder));
        }
    } else if claim == LockClaim::FreeOrExpired {
        // A server that lost its connection, and with it the lock, may still answer requests until
        // its lease expires.
        while holder(session).await?.is_some_and(|holder| !holder.has_expired) {
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }
    sqlx::query_scalar("select pg_backend_pid()").fetch_one(session).await.map(Ok)
}

/// Tries to acquire an advisory lock in a session. Returns false if another session holds it.
pub(super) async fn try_lock(session: &mut PgConnection, key: i64) -> Result<bool, sqlx::Error> {
    // A session that already has the lock acquires it once more. The lock is released when the
    // session ends.
    sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(key).fetch_one(session).await
}

async fn lock_with_retries(session: &mut PgConnection) -> Result<bool, sqlx::Error> {
    for _ in 0..LOCK_ATTEMPTS {
        if try_lock(session, KEY).await? {
            return Ok(true);
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
    Ok(false)
}

async fn holder(session: &mut PgConnection) -> Result<Option<LockHolder>, sqlx::Error> {
    let is_there: bool =
        sqlx::query_scalar("select to_regclass('nodes') is not null").fetch_one(&mut *session).await?;
    if !is_there {
        return Ok(None);
    }
    sqlx::query_as(
        "select name, to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since,
                lease_until < clock_timestamp() as has_expired
         from nodes order by renewed_at desc limit 1",
    )
    .fetch_optional(session)
    .await
}

async fn renew_on(session: &mut PgConnection, id: Uuid, alive_at: Timestamp) -> Result<bool, sqlx::Error> {
    let renewed = sqlx::query(
        "with renewed as (
             update nodes set renewed_at = clock_timestamp(), lease_until = clock_timestamp() + $3
             where id = $1 returning id
         )
         insert into server_life (id, alive_at) select 1, $2 from renewed
         on conflict (id) do update set alive_at = excluded.alive_at",
    )
    .bind(id)
    .bind(TimeColumn::from(alive_at))
    .bind(LEASE_DURATION)
    .execute(session)
    .await?;
    Ok(renewed.rows_affected() > 0)
}
