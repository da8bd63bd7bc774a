//! This machine's copy of the RustSec advisory database.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

/// The folder in which cargo-deny stores databases, below Cargo's own folder.
const FOLDER: &str = "advisory-dbs";
/// The file that git writes when it fetches.
const FETCHED: &str = ".git/FETCH_HEAD";

/// A copy of the database.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Database {
    /// The time since the copy was fetched.
    pub(super) age: Duration,
}

/// Returns the copy on this machine, or `None` if there is none.
///
/// # Errors
/// Returns an error if the folder exists and cannot be read.
#[expect(clippy::disallowed_methods, reason = "an age is printed for the person who waits")]
pub(super) fn database() -> Result<Option<Database>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.map_or(Ok(None), |home| newest_in(&home.join(FOLDER), SystemTime::now()))
}

fn newest_in(folder: &Path, now: SystemTime) -> Result<Option<Database>> {
    if !folder.exists() {
        return Ok(None);
    }
    let mut newest: Option<Duration> = None;
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let Ok(fetched) = std::fs::metadata(entry?.path().join(FETCHED)).and_then(|file| file.modified())
        else {
            continue;
        };
        let age = now.duration_since(fetched).unwrap_or_default();
        newest = Some(newest.map_or(age, |newest| newest.min(age)));
    }
    Ok(newest.map(|age| Database { age }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_copy_has_an_age() {
        let folder = std::env::temp_dir().join(format!("quadrex-advisories-{}", std::process::id()));
        let any = SystemTime::UNIX_EPOCH;
        assert_eq!(newest_in(&folder, any).unwrap(), None, "there is no folder");
        std::fs::create_dir_all(folder.join("empty")).unwrap();
        assert_eq!(newest_in(&folder, any).unwrap(), None, "nothing was fetched");
        let fetched = folder.join("db").join(FETCHED);
        std::fs::create_dir_all(fetched.parent().unwrap()).unwrap();
        std::fs::write(&fetched, "").unwrap();
        let day = Duration::from_secs(24 * 3600);
        let written = std::fs::metadata(&fetched).unwrap().modified().unwrap();
        assert_eq!(newest_in(&folder, written + day).unwrap(), Some(Database { age: day }));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
