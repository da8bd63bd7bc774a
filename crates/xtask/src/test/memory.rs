//! A folder in memory for the temporary files of tests. On a disk, the tests wait for their databases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process;

/// The environment variable with the folder for temporary files.
pub(super) const VARIABLE: &str = "TMPDIR";

/// The folder with the processes of this machine.
const PROCESSES: &str = "/proc";
/// The file system in memory.
const FILE_SYSTEM: &str = "/dev/shm";
/// The least free space in kibibytes.
const LEAST_FREE: u64 = 4 << 20;
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
        let this = std::process::id();
        remove_abandoned(file_system, Path::new(PROCESSES), this);
        let sizes = process::stdout_of(Command::new("df").arg("-Pk").arg(file_system))?;
        if free_space(&sizes).is_none_or(|free| free < LEAST_FREE) {
            return Ok(None);
        }
        let folder = file_system.join(format!("{PREFIX}{this}"));
        // Some servers of the tests run as other users, which must be able to enter the folder.
        process::run(Command::new("mkdir").args(["-m", "711"]).arg(&folder))?;
        Ok(Some(Self(folder)))
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

/// Returns the free space of a file system in kibibytes, from the output of `df -Pk` (POSIX).
fn free_space(sizes: &str) -> Option<u64> {
    sizes.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

/// Removes the folders of processes that do not exist any more, and one of an earlier process with the
/// number of this one.
fn remove_abandoned(file_system: &Path, processes: &Path, this: u32) {
    for entry in fs::read_dir(file_system).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let Ok(number) = process.parse::<u32>() else { continue };
        if number == this || !processes.join(process).exists() {
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
        for path in [
            "quadrex-tests-12/data/x",
            "quadrex-tests-34/x",
            "quadrex-tests-56/x",
            "quadrex-tests-x/y",
            "78/x",
        ] {
            file_system.write(path, "");
        }
        processes.write("34/stat", "");
        processes.write("56/stat", "");
        remove_abandoned(file_system.path(), processes.path(), 56);
        let mut left: Vec<_> =
            fs::read_dir(file_system.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["78", "quadrex-tests-34", "quadrex-tests-x"]);
    }

    #[test]
    fn the_free_space_is_parsed_from_the_output_of_df() {
        let sizes = "Filesystem     1024-blocks  Used Available Capacity Mounted on\n\
                     tmpfs             25165824  4396  25161428       1% /dev/shm\n";
        assert_eq!(free_space(sizes), Some(25_161_428));
        assert_eq!(free_space("Filesystem\n"), None);
    }
}
