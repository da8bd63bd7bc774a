//! The program under test: the one in `QUADREX_BIN`, or a newly built one.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The environment variable with the path of a program that was built with fault hooks. `cargo
/// xtask test` sets it.
const VARIABLE: &str = "QUADREX_BIN";

/// Returns the path of the program. If the variable is not set, the program is built first. The
/// tests are separate processes, so a lock makes all but the first wait until it is built.
///
/// # Errors
/// If it does not build.
pub fn path() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Ok(PathBuf::from(path));
    }
    let target = target()?;
    let lock = File::create(target.join("tests-build.lock")).context("making the lock of the build")?;
    lock.lock().context("waiting for the build of another test")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build
        .args(["build", "--quiet", "--package", "quadrex", "--features", "faults", "--target-dir"])
        .arg(&target);
    let status = build.current_dir(root()).status().context("running cargo build")?;
    ensure!(status.success(), "quadrex does not build: {status}");
    Ok(target.join("debug").join(format!("quadrex{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns the root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository")
}

/// Returns the target folder, which contains the running test or benchmark. Cargo marks it with a
/// file.
fn target() -> Result<PathBuf> {
    const MARK: &str = "CACHEDIR.TAG";
    let program = std::env::current_exe().context("asking for the path of the test")?;
    let target = program.ancestors().find(|folder| folder.join(MARK).is_file());
    Ok(target.context("the test is not in a target folder")?.to_owned())
}
