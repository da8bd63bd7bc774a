//! The program for checks and tests: a development build with fault injection.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{client, process, workspace};

/// The arguments of every development build. All builds use the same packages and features, so they
/// share compiled dependencies. An example is included, because cargo then enables the features of
/// dev-dependencies in every build.
const SHARED: [&str; 5] = ["--workspace", "--features", "quadrex/faults", "--example", SCHEMA];

/// The profile of releases, and the name of its folder.
const RELEASE: &str = "release";

/// The profile of simulations, and the name of its folder.
const SIMULATION: &str = "simulation";

/// The program that runs simulations.
const SIMULATOR: &str = "quadrex-simulate";

/// The example of `quadrex-protocol` that writes the generated files.
const SCHEMA: &str = "schema";

/// Builds the example that writes the generated files, and returns its path.
///
/// # Errors
/// Returns an error if the example does not build.
pub(crate) fn schema_writer() -> Result<PathBuf> {
    process::run(workspace::cargo().args(["build", "--quiet"]).args(SHARED))?;
    Ok(development_build(&format!("examples/{SCHEMA}")))
}

/// Builds `quadrex` with the web client, and returns its path.
///
/// # Errors
/// Returns an error if the program or the web client does not build.
pub(crate) fn quadrex() -> Result<PathBuf> {
    client::ensure_built()?;
    process::run(workspace::cargo().args(["build", "--quiet"]).args(SHARED).arg("--bins"))?;
    Ok(development_build("quadrex"))
}

/// Builds the programs of the server and of the tests for release, with the web client, and returns
/// a function from their names to their paths.
///
/// # Errors
/// Returns an error if a program or the web client does not build.
pub(crate) fn release() -> Result<impl Fn(&str) -> PathBuf> {
    build(RELEASE, &["quadrex", "quadrex-tests"])?;
    Ok(|name: &str| build_in(RELEASE, name))
}

/// Builds the program `quadrex-simulate` with the profile for simulations, and returns its path.
///
/// # Errors
/// Returns an error if the program or the web client does not build.
pub(crate) fn simulator() -> Result<PathBuf> {
    build(SIMULATION, &["quadrex-simulation"])?;
    Ok(build_in(SIMULATION, SIMULATOR))
}

/// Builds the programs of some packages with a profile, with the web client.
fn build(profile: &str, packages: &[&str]) -> Result<()> {
    client::ensure_built()?;
    let mut build = workspace::cargo();
    build.args(["build", "--profile", profile, "--bins"]);
    build.args(packages.iter().flat_map(|package| ["--package", package]));
    process::run(&mut build)
}

/// Returns a cargo command for the whole workspace with the features of all development builds.
pub(crate) fn cargo_on_all(subcommand: &[&str]) -> Command {
    let mut command = workspace::cargo();
    command.args(subcommand).args(&SHARED[..3]);
    command
}

/// Builds the program `quadrex-simulate` with all other programs for tests, and returns its path.
///
/// # Errors
/// Returns an error if a program or the web client does not build.
pub(crate) fn development_simulator() -> Result<PathBuf> {
    quadrex()?;
    Ok(development_build(SIMULATOR))
}

/// Returns the path of a program of the development build.
fn development_build(name: &str) -> PathBuf {
    build_in("debug", name)
}

/// Returns the path of a program in a folder of the build.
fn build_in(folder: &str, name: &str) -> PathBuf {
    workspace::target().join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
