//! Benchmarks of the whole server with the program `quadrex-bench` of the end-to-end tests.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use quadrex_progress::Progress;

use crate::{process, program};

/// The core for the load. The server runs on another core.
const LOAD_CORE: &str = "1";

/// The processor cores of a benchmark.
#[derive(Clone, Copy)]
pub(super) enum Cores {
    /// The load runs on one core, and the server on another.
    OneForLoad,
    /// All processes share all cores.
    All,
}

/// Builds release versions of the server and of the load generator, and runs one benchmark.
///
/// # Errors
/// Returns an error if a program does not build, or the benchmark finds a fault.
pub(super) fn run(name: &str, cores: Cores, rest: &[String], figures: &Path) -> Result<()> {
    let program = program::release()?;
    let mut bench = match cores {
        Cores::OneForLoad => {
            let mut bench = Command::new("taskset");
            bench.args(["-c", LOAD_CORE]).arg(program("quadrex-bench"));
            bench
        }
        Cores::All => Command::new(program("quadrex-bench")),
    };
    bench.arg(name);
    bench.arg("--figures").arg(figures).args(rest);
    bench.env("QUADREX_BIN", program("quadrex"));
    let progress = Progress::endless(name);
    if !progress.is_shown() {
        return process::run(&mut bench);
    }
    let output = process::watch(&mut bench, |line| progress.print(|| println!("{line}")))?;
    process::checked(output.status, &bench)
}
