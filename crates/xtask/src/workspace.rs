//! Paths in the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// Returns the root folder of the repository.
pub(crate) fn root() -> &'static Path {
    let own_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    own_crate.ancestors().nth(2).expect("this crate lies in crates/xtask of the repository")
}

/// Returns the folder of the web client's npm package.
pub(crate) fn web() -> PathBuf {
    root().join("crates/web")
}

/// Returns the folder of the browser tests' npm package.
pub(crate) fn browser_tests() -> PathBuf {
    root().join("tests/browser")
}

/// Returns cargo's target folder, which `CARGO_TARGET_DIR` can change.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Returns a command for the cargo that started this program, in the root of the repository.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Builds a program for release and returns its path.
///
/// # Errors
/// Returns an error if the program does not build.
pub(crate) fn release_build(package: &str, program: &str) -> Result<PathBuf> {
    process::run(cargo().args(["build", "--release", "--package", package, "--bin", program]))?;
    Ok(target().join("release").join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns the paths of all files that git tracks or would add, from the root. Deleted files are
/// left out.
///
/// If git is missing, or the folder is not a git checkout.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listing = process::stdout_of(&mut git).context("listing the repository's files")?;
    let mut files: Vec<PathBuf> =
        listing.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect();
    files.retain(|path| root().join(path).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_contains_the_workspace_manifest() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"));
    }

    #[test]
    fn the_listing_contains_sources_and_no_build_outputs() {
        let files = files().unwrap();
        assert!(files.contains(&PathBuf::from("crates/xtask/src/workspace.rs")));
        assert!(files.iter().all(|path| !path.starts_with("target")), "{files:?}");
    }
}
