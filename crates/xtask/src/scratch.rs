//! A temporary folder for one test.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder under the system's temporary folder. It is removed when this value is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Creates an empty folder. `name` must be unique among the tests.
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("quadrex-xtask-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and creates its folders.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Sets the modification time of a file to a time long ago.
    pub(crate) fn age(&self, path: &str) {
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        fs::File::options().write(true).open(self.0.join(path)).unwrap().set_modified(long_ago).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
