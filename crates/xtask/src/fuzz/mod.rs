//! `cargo xtask fuzz`: runs the fuzz targets of `tests/fuzz` for a long time. The step `fuzz` of
//! `cargo xtask test` runs them for seconds.
//!
//! Interesting inputs and failing inputs are written to `target/fuzz`, never to the repository.

mod report;
mod target;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::builder::PossibleValuesParser;

use crate::test::system::{self, Requirement};
use crate::test::tools;
use crate::{process, workspace};
use report::Row;
use target::{Effort, TARGETS, Target};

/// The arguments of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Target to run; may be repeated [default: all]
    #[arg(value_name = "TARGET", value_parser = PossibleValuesParser::new(TARGETS.iter().map(|target| target.name)))]
    targets: Vec<String>,
    /// Number of executions of each target
    #[arg(long, default_value_t = 10_000_000)]
    runs: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

/// Runs the targets one after another and prints a table. Each target runs until its last execution
/// or its first finding.
///
/// If a target fails for some input, does not build, or does not run.
pub(crate) fn run(args: &Args) -> Result<()> {
    let programs = build(&system::provide(&[Requirement::Cxx])?)?;
    let asked =
        |target: &&Target| args.targets.is_empty() || args.targets.iter().any(|name| name == target.name);
    let effort = Effort { runs: args.runs, seconds: None, seed: args.seed };
    let corpora = folder().join("corpus");
    let mut rows = Vec::new();
    for target in TARGETS.iter().filter(asked) {
        rows.push(target.run(&programs, &corpora, effort)?);
    }
    print!("\n{}", report::table(&rows));
    report(&rows)
}

/// Checks and builds the targets, and runs each for some seconds with a fixed seed. Returns the
/// number of targets without findings.
///
/// If a target fails for some input, does not build, or does not run; if the sources are not
/// formatted or have warnings; or if a dependency is not allowed.
pub(crate) fn check(variables: &[(&'static str, OsString)]) -> Result<u32> {
    process::run(cargo("fmt").arg("--check"))?;
    let mut clippy = cargo("clippy");
    // Lints do not need the fuzzing engine.
    clippy.args(["--locked", "--no-default-features", "--target-dir"]).arg(folder());
    process::run(clippy.args(["--", "--deny", "warnings"]))?;
    tools::DENY.ensure()?;
    let mut deny = cargo("deny");
    // The allowed licences are those of the whole project.
    deny.args(["--locked", "check", "--allow", "license-not-encountered", "licenses", "bans", "sources"]);
    deny.env("PATH", tools::path()?);
    process::run(&mut deny)?;

    let programs = build(variables)?;
    let corpora = folder().join("step");
    if corpora.exists() {
        std::fs::remove_dir_all(&corpora).with_context(|| format!("removing {}", corpora.display()))?;
    }
    let effort = Effort { runs: 20_000, seconds: Some(8), seed: 1 };
    let rows = TARGETS.iter().map(|target| target.run(&programs, &corpora, effort));
    let rows = rows.collect::<Result<Vec<_>>>()?;
    print!("\n{}", report::table(&rows));
    report(&rows)?;
    Ok(u32::try_from(rows.len()).expect("there are few targets"))
}

/// Returns the findings, each with the command that reproduces it.
fn report(rows: &[Row]) -> Result<()> {
    match report::findings(rows) {
        None => Ok(()),
        Some(findings) => bail!(findings),
    }
}

/// Builds all targets and returns the folder of their programs. They use no sanitizer, because the
/// code has no `unsafe`, and without a sanitizer they run several times as fast.
fn build<V: AsRef<std::ffi::OsStr>>(variables: &[(&'static str, V)]) -> Result<PathBuf> {
    tools::FUZZ.ensure()?;
    let host = host()?;
    let mut build = workspace::cargo();
    build.args(["fuzz", "build", "--sanitizer", "none", "--target", &host, "--fuzz-dir"]).arg(package());
    build.arg("--target-dir").arg(folder()).env("PATH", tools::path()?);
    build.envs(variables.iter().map(|(name, value)| (name, value)));
    process::run(&mut build)?;
    Ok(folder().join(host).join("release"))
}

/// Returns the target triple of this machine, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String> {
    let output = process::stdout_of(Command::new("rustc").arg("-vV"))?;
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}

/// Returns a cargo command for the package of the targets, which is a separate workspace.
fn cargo(subcommand: &str) -> Command {
    let mut cargo = workspace::cargo();
    let manifest = package().join("Cargo.toml");
    cargo.arg(subcommand).arg("--manifest-path").arg(manifest);
    cargo
}

fn package() -> PathBuf {
    workspace::root().join("tests/fuzz")
}

fn folder() -> PathBuf {
    workspace::target().join("fuzz")
}

fn make(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}
