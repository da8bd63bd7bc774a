//! Opening a SQLite file without changing it.

use std::io;
use std::path::Path;

use rustix::fs::{Access, access};
use sqlx::sqlite::SqliteConnectOptions;

use super::damage::check;
use super::{BUSY_TIMEOUT, Sqlite, cannot_open, ensure_not_empty, pool, schema_of};
use crate::error::ConnectError;
use crate::location::Location;
use crate::schema::Schema;

impl Sqlite {
    /// Opens the file read-only and checks it. Returns `None` if the file does not exist.
    pub(crate) async fn open_read_only(path: &Path) -> Result<Option<(Self, Schema)>, ConnectError> {
        let location = Location::Sqlite(path.to_owned());
        let unreachable = |error: io::Error| ConnectError::Unreachable {
            location: location.clone(),
            reason: error.to_string(),
        };
        if !path.try_exists().map_err(unreachable)? {
            return Ok(None);
        }
        ensure_not_empty(path, &location)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .read_only(true)
            .immutable(was_closed_cleanly(path).map_err(unreachable)?);
        let opened = |error: sqlx::Error| cannot_open(&location, &error);
        let readers = pool(1).connect_with(options).await.map_err(opened)?;
        let mut connection = readers.acquire().await.map_err(opened)?;
        check(&mut connection, &location).await?;
        let schema = schema_of(&mut connection, &location).await?;
        drop(connection);
        Ok(Some((Self { writer: readers.clone(), readers }, schema)))
    }

    /// Checks that a server could write the file. If the file does not exist, checks that a server
    /// could create it. Either way the server also needs write permission in the folder.
    ///
    /// # Errors
    /// Returns [`ConnectError`] if a permission is missing.
    pub(crate) fn check_writable(path: &Path) -> Result<(), ConnectError> {
        let location = Location::Sqlite(path.to_owned());
        if let Err(source) = may_write(path)
            && source.kind() != io::ErrorKind::NotFound
        {
            return Err(ConnectError::Unreachable { location, reason: source.to_string() });
        }
        let folders = path.ancestors().skip(1).map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        // The nearest folder that exists must be writable. A server creates the folders below it.
        let mut write_access = Err(io::ErrorKind::NotFound.into());
        for folder in folders {
            write_access = may_write(folder);
            if !matches!(&write_access, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        write_access.map_err(|source| ConnectError::Folder { location, source })
    }
}

fn may_write(path: &Path) -> io::Result<()> {
    let metadata = path.metadata()?;
    let wanted = if metadata.is_dir() { Access::WRITE_OK | Access::EXEC_OK } else { Access::WRITE_OK };
    Ok(access(path, wanted)?)
}

/// Returns true if no process has the file open and the last process closed it cleanly. In this
/// case there is no WAL file and no rollback journal beside it (sqlite.org/wal.html, "The WAL
/// File"; sqlite.org/fileformat2.html, "The Rollback Journal"). Such a file is opened as immutable,
/// because a normal reader in WAL mode would create files beside it.
fn was_closed_cleanly(path: &Path) -> io::Result<bool> {
    for end in ["-wal", "-journal"] {
        let mut companion_path = path.as_os_str().to_owned();
        companion_path.push(end);
        if Path::new(&companion_path).try_exists()? {
            return Ok(false);
        }
    }
    Ok(true)
}
