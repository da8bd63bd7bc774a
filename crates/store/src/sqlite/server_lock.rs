//! The server lock on SQLite: a lock on a file beside the database, and a row in the table `nodes`.

use std::fs::{File, OpenOptions};
use std::path::Path;

use quadrex_rules::Timestamp;
use rustix::fs::{FlockOperation, flock};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use uuid::Uuid;

use super::{BUSY_TIMEOUT, Sqlite};
use crate::error::{ConnectError, StoreError};
use crate::location::Location;
use crate::server_lock::{LEASE_DURATION, LockClaim, LockHolder};
use crate::time_column::TimeColumn;

/// The lock file. A server that hangs keeps the lock on this file. Until it releases the lock, the
/// server that takes over is protected only by its lease (the row in `nodes`).
#[derive(Debug)]
pub(crate) struct SqliteServerLock {
    file: File,
    is_locked: bool,
}

impl SqliteServerLock {
    pub(crate) async fn attempt(
        path: &Path,
        claim: LockClaim,
    ) -> Result<Result<Self, Option<LockHolder>>, ConnectError> {
        let location = Location::Sqlite(path.to_owned());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| ConnectError::Folder { location: location.clone(), source })?;
        }
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&lock_path).map_err(
                |error| ConnectError::Unreachable { location: location.clone(), reason: error.to_string() },
            )?;
        let mut lock = Self { file, is_locked: false };
        lock.try_acquire();
        if lock.is_locked {
            return Ok(Ok(lock));
        }
        let holder = holder(path).await.ok().flatten();
        let has_expired = holder.as_ref().is_some_and(|holder| holder.has_expired);
        Ok(if claim == LockClaim::FreeOrExpired && has_expired { Ok(lock) } else { Err(holder) })
    }

    /// Acquires the lock if it is free now.
    pub(crate) fn try_acquire(&mut self) {
        if !self.is_locked {
            self.is_locked = flock(&self.file, FlockOperation::NonBlockingLockExclusive).is_ok();
        }
    }
}

/// Returns the server with the newest row, if there is a row.
async fn holder(path: &Path) -> Result<Option<LockHolder>, sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let holder = sqlx::query_as(
        "select name, strftime('%Y-%m-%d %H:%M:%S', since_ms / 1000, 'unixepoch') as since,
                lease_until_ms < cast(unixepoch('subsec') * 1000 as integer) as has_expired
         from nodes order by renewed_at_ms desc limit 1",
    )
    .fetch_optional(&mut connection)
    .await?;
    connection.close().await?;
    Ok(holder)
}

fn lease_ms() -> i64 {
    i64::try_from(LEASE_DURATION.as_millis()).unwrap_or(i64::MAX)
}

impl Sqlite {
    pub(crate) async fn register_node(&self, id: Uuid, name: &str) -> Result<(), StoreError> {
        let failed = StoreError::database;
        let mut transaction = self.writer.begin().await.map_err(failed("write the server's row"))?;
        sqlx::query("delete from nodes")
            .execute(&mut *transaction)
            .await
            .map_err(failed("write the server's row"))?;
        sqlx::query(
            "insert into nodes (id, name, since_ms, renewed_at_ms, lease_until_ms)
             select $1, $2, now.ms, now.ms, now.ms + $3
             from (select cast(unixepoch('subsec') * 1000 as integer) as ms) as now",
        )
        .bind(id)
        .bind(name)
        .bind(lease_ms())
        .execute(&mut *transaction)
        .await
        .map_err(failed("write the server's row"))?;
        transaction.commit().await.map_err(failed("write the server's row"))
    }

    pub(crate) async fn renew_node(&self, id: Uuid, alive_at: Timestamp) -> Result<bool, StoreError> {
        let failed = StoreError::database;
        #[cfg(feature = "faults")]
        if crate::fault_injection::is_disk_full() {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            return Err(failed("renew the lease")(sqlx::Error::Io(full)));
        }
        let mut transaction = self.writer.begin().await.map_err(failed("renew the lease"))?;
        let renewed = sqlx::query(
            "update nodes set renewed_at_ms = cast(unixepoch('subsec') * 1000 as integer),
                              lease_until_ms = cast(unixepoch('subsec') * 1000 as integer) + $2
             where id = $1",
        )
        .bind(id)
        .bind(lease_ms())
        .execute(&mut *transaction)
        .await
        .map_err(failed("renew the lease"))?;
        if renewed.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query(
            "insert into server_life (id, alive_at_ms) values (1, $1)
             on conflict (id) do update set alive_at_ms = excluded.alive_at_ms",
        )
        .bind(TimeColumn::from(alive_at))
        .execute(&mut *transaction)
        .await
        .map_err(failed("record a heartbeat"))?;
        transaction.commit().await.map_err(failed("renew the lease"))?;
        Ok(true)
    }

    pub(crate) async fn remove_node(&self, id: Uuid) -> Result<(), StoreError> {
        sqlx::query("delete from nodes where id = $1")
            .bind(id)
            .execute(&self.writer)
            .await
            .map(drop)
            .map_err(StoreError::database("remove the server's row"))
    }
}
