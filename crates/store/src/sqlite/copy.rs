//! A copy of a SQLite file, which is possible while a server writes to it.

use std::path::Path;

use super::{Sqlite, reason};
use crate::error::BackupError;
use crate::location::Location;

impl Sqlite {
    /// Copies all committed data into another file, which must be empty or missing, and checks the
    /// copy. Commits that happen during the copy are not in it and are not delayed
    /// (sqlite.org/lang_vacuum.html, "VACUUM with an INTO clause").
    pub(crate) async fn copy(path: &Path, to: &Path) -> Result<(), BackupError> {
        let location = Location::Sqlite(path.to_owned());
        let Some((from, schema)) = Self::open_read_only(path).await? else {
            return Err(BackupError::Nothing { location });
        };
        if schema.found == 0 {
            return Err(BackupError::Nothing { location });
        }
        let failed = |reason: String| BackupError::Copy { location: location.clone(), reason };
        let name = to.to_str().ok_or_else(|| failed(format!("{} is not UTF-8", to.display())))?;
        let copied = sqlx::query("vacuum into $1").bind(name).execute(&from.readers).await;
        from.close().await;
        copied.map_err(|error| failed(reason(&error)))?;
        let copy = Self::open_read_only(to).await?;
        let (copy, found) = copy.ok_or_else(|| failed("the copy has disappeared".to_owned()))?;
        copy.close().await;
        if found == schema { Ok(()) } else { Err(failed(format!("the copy has schema {found}"))) }
    }
}
