//! `cargo xtask simulate`: deterministic simulations of servers and clients in virtual time.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, program, workspace};

/// The name of the program.
const PROGRAM: &str = "quadrex-simulate";

/// The first words of the last line that the program prints.
const SUMMARY_WORDS: &str = " seeds, ";

/// The arguments of `cargo xtask simulate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program: --seeds, --seed, --trace, --twice, --planted, --threads
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds the program for release, and runs simulations.
///
/// # Errors
/// Returns an error if the program does not build, or if there is a violation.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut build = workspace::cargo();
    build.args(["build", "--release", "--package", "quadrex-simulation", "--bins"]);
    process::run(&mut build)?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let mut simulate = Command::new(workspace::target().join("release").join(name));
    process::replace_by(simulate.args(&args.arguments))
}

/// Runs the simulations of this number of seeds with the development build. Returns the number of seeds
/// without a violation.
///
/// # Errors
/// Returns an error if there is a violation.
pub(crate) fn check(seeds: u32) -> Result<u32> {
    let mut simulate = Command::new(program::development_build(PROGRAM));
    simulate.args(["--seeds", &seeds.to_string()]);
    let output = process::run_printed(simulate)?;
    let has_summary = output.text.lines().any(|line| line.contains(SUMMARY_WORDS));
    anyhow::ensure!(output.status.success(), "the auditor found violations");
    has_summary.then_some(seeds).context("it ended without its summary")
}
