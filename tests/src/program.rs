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

/// Removes the settings of this process from the environment of a command, so that the program under
/// test has only those of the test.
pub fn remove_settings(command: &mut Command) {
    command.env_remove("DATABASE_URL");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("QUADREX_") {
            command.env_remove(name);
        }
    }
}

/// Returns the path of another program: the one in an environment variable, in `PATH`, or in
/// Debian's folder for servers. `None` if it is not installed.
///
/// # Errors
/// If the variable does not name a file.
pub fn installed(variable: &str, name: &str) -> Result<Option<PathBuf>> {
    if let Some(program) = std::env::var_os(variable).filter(|program| !program.is_empty()) {
        let program = PathBuf::from(program);
        ensure!(program.is_file(), "{variable} is {}, which is no file", program.display());
        return Ok(Some(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut candidates = folders.chain([PathBuf::from("/usr/sbin")]).map(|folder| folder.join(name));
    Ok(candidates.find(|program| program.is_file()))
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
