//! The check of a file for damage.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::{BUSY_TIMEOUT, cannot_open};
use crate::error::ConnectError;
use crate::error_chain::chain;
use crate::location::Location;

/// The size in bytes of the largest file that is checked before the server starts. The check reads
/// about 100 MB per second.
const LARGEST_CHECKED_AT_START: u64 = 256 << 20;

/// Checks the whole file for damage. A server then detects damage when it starts, not in the middle
/// of a match. A large file is checked in the background, and damage is logged.
///
/// # Errors
/// Returns [`ConnectError`] if the file is damaged or cannot be read.
pub(super) async fn check_at_start(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), ConnectError> {
    let location = Location::Sqlite(path.to_owned());
    if !is_large(path) {
        return check(connection, &location).await;
    }
    tracing::info!(path = %path.display(), "the database file is checked for damage in the background");
    let path = path.to_owned();
    quadrex_runtime::spawn(async move {
        if let Err(error) = check_apart(&path).await {
            tracing::error!("the database may be damaged: {}", chain(&error));
        }
    });
    Ok(())
}

/// Checks the whole file for damage.
pub(super) async fn check(
    connection: &mut SqliteConnection,
    location: &Location,
) -> Result<(), ConnectError> {
    let found: String = sqlx::query_scalar("pragma quick_check(1)")
        .fetch_one(connection)
        .await
        .map_err(|error| cannot_open(location, &error))?;
    if found == "ok" {
        return Ok(());
    }
    let reason = found.split_whitespace().collect::<Vec<_>>().join(" ");
    Err(ConnectError::Broken { location: location.clone(), reason })
}

/// Checks the whole file for damage, with a connection of its own.
async fn check_apart(path: &Path) -> Result<(), ConnectError> {
    let location = Location::Sqlite(path.to_owned());
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT).read_only(true);
    let opened = options.connect().await;
    let mut connection = opened.map_err(|error| cannot_open(&location, &error))?;
    check(&mut connection, &location).await?;
    connection.close().await.map_err(|error| cannot_open(&location, &error))
}

fn is_large(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() > LARGEST_CHECKED_AT_START)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{Seek, SeekFrom, Write};

    use super::*;
    use crate::sqlite::Sqlite;

    /// A large file is opened without a check of its content. The check in the background finds the
    /// damage.
    #[tokio::test]
    async fn the_damage_of_a_large_file_is_found_after_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quadrex.db");
        Sqlite::connect(&path, 1).await.unwrap().close().await;
        check_apart(&path).await.unwrap();
        // The start reads nothing of an index without content.
        let options = SqliteConnectOptions::new().filename(&path).read_only(true);
        let mut connection = options.connect().await.unwrap();
        let root = "select rootpage from sqlite_schema where name = 'reviews_waiting'";
        let page: u32 = sqlx::query_scalar(root).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let mut file = OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(u64::from(page - 1) * 4_096)).unwrap();
        file.write_all(&[0xff; 64]).unwrap();
        assert!(matches!(check_apart(&path).await, Err(ConnectError::Broken { .. })));
        assert!(matches!(Sqlite::connect(&path, 1).await, Err(ConnectError::Broken { .. })));
        file.set_len(LARGEST_CHECKED_AT_START + 4_096).unwrap();
        assert!(is_large(&path));
        Sqlite::connect(&path, 1).await.unwrap().close().await;
    }
}
