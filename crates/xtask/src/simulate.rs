//! `cargo xtask simulate`: deterministic simulations of servers and clients in virtual time.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, program};

/// Words of the last line that the program prints.
const SUMMARY_WORDS: &str = " seeds, ";

/// The arguments of `cargo xtask simulate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program: --seeds, --seed, --brief, --trace, --twice, --planted, --threads
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds the program with the profile for simulations, and runs them.
///
/// # Errors
/// Returns an error if the program does not build, or if there is a violation.
pub(crate) fn run(args: &Args) -> Result<()> {
    process::replace_by(Command::new(program::simulator()?).args(&args.arguments))
}

/// Builds the program for tests, and runs the simulations of this number of seeds. Returns the number of seeds
/// without a violation.
///
/// # Errors
/// Returns an error if the program does not build, or if there is a violation.
pub(crate) fn check(seeds: u32) -> Result<u32> {
    let mut simulate = Command::new(program::development_simulator()?);
    simulate.args(["--brief", "--seeds", &seeds.to_string()]);
    let output = process::run_printed(simulate)?;
    let has_summary = output.text.lines().any(|line| line.contains(SUMMARY_WORDS));
    anyhow::ensure!(output.status.success(), "the auditor found violations");
    has_summary.then_some(seeds).context("it ended without its summary")
}
