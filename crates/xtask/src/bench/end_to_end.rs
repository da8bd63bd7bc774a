//! Benchmarks of the whole server with the program `quadrex-bench` of the end-to-end tests.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use quadrex_progress::Progress;

use crate::{process, program};

/// The core for the load. The server runs on another core.
const LOAD_CORE: &str = "1";

/// Builds release versions of the server and of the load generator, and runs one benchmark.
///
/// # Errors
/// Returns an error if a program does not build, or the benchmark finds a fault.
pub(super) fn run(name: &str, rest: &[String], figures: &Path) -> Result<()> {
    let program = program::release()?;
    let mut bench = Command::new("taskset");
    bench.args(["-c", LOAD_CORE]).arg(program("quadrex-bench")).arg(name);
    bench.arg("--figures").arg(figures).args(rest);
    bench.env("QUADREX_BIN", program("quadrex"));
    let progress = Progress::endless(name);
    if !progress.is_shown() {
        return process::run(&mut bench);
    }
    let output = process::watch(&mut bench, |line| progress.print(|| println!("{line}")))?;
    process::checked(output.status, &bench)
}
