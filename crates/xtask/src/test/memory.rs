//! A folder in memory for the temporary files of tests. On a disk, the tests wait for their databases.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The environment variable with the folder for temporary files.
pub(super) const VARIABLE: &str = "TMPDIR";

/// The folder with the processes of this machine.
const PROCESSES: &str = "/proc";
/// The file system in memory.
const FILE_SYSTEM: &str = "/dev/shm";
/// The least free space in bytes.
const LEAST_FREE: u64 = 4 << 30;
/// The beginning of the name of the folder. The number of the process follows.
const PREFIX: &str = "quadrex-tests-";

/// A folder in memory, which is removed when this value is dropped.
pub(super) struct MemoryFolder(PathBuf);

impl MemoryFolder {
    /// Creates the folder. Returns `None` without a file system in memory, if too little of it is
    /// free, or if the user has chosen another folder. Removes folders of processes that were killed.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub(super) fn create() -> Result<Option<Self>> {
        let file_system = Path::new(FILE_SYSTEM);
        if std::env::var_os(VARIABLE).is_some() || !file_system.is_dir() {
            return Ok(None);
        }
        remove_abandoned(file_system, Path::new(PROCESSES));
        let status = rustix::fs::statvfs(file_system).context("asking for the free space in memory")?;
        if status.f_bavail.saturating_mul(status.f_frsize) < LEAST_FREE {
            return Ok(None);
        }
        let folder = file_system.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| format!("creating {}", folder.display()))?;
        let folder = Self(folder);
        // Some servers of the tests run as other users.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        Ok(Some(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for MemoryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes the folders of processes that do not exist any more.
fn remove_abandoned(file_system: &Path, processes: &Path) {
    for entry in fs::read_dir(file_system).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        if process.parse::<u32>().is_ok() && !processes.join(process).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn folders_of_ended_processes_are_removed_and_nothing_else() {
        let (file_system, processes) = (Scratch::new("memory-files"), Scratch::new("memory-processes"));
        for path in ["quadrex-tests-12/data/x", "quadrex-tests-34/x", "quadrex-tests-x/y", "56/x"] {
            file_system.write(path, "");
        }
        processes.write("34/stat", "");
        remove_abandoned(file_system.path(), processes.path());
        let mut left: Vec<_> =
            fs::read_dir(file_system.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["56", "quadrex-tests-34", "quadrex-tests-x"]);
    }
}
