//! Runs simulations, and prints the seeds of those in which the auditor found a violation.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use quadrex_simulation::{Scenario, simulate};

/// Runs deterministic simulations of servers and clients.
#[derive(Debug, Parser)]
struct Arguments {
    /// The number of seeds.
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Prints the trace of each simulation.
    #[arg(long)]
    trace: bool,
}

#[expect(clippy::disallowed_methods, reason = "the duration of the whole run is printed")]
fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let began = Instant::now();
    let (mut failed, mut match_ms, mut events) = (0, 0, 0);
    for seed in arguments.seed..arguments.seed + arguments.seeds {
        let scenario = Scenario::of_seed(seed);
        let outcome = simulate(&scenario, arguments.trace)?;
        if let Some(trace) = &outcome.trace {
            println!("{trace}");
        }
        match_ms += outcome.audited.match_ms;
        events += outcome.audited.events;
        println!(
            "seed {seed}: {:?}, {} lines, digest {:016x}",
            outcome.audited, outcome.lines, outcome.digest
        );
        for violation in &outcome.violations {
            println!("  {violation}");
        }
        failed += u64::from(!outcome.violations.is_empty());
    }
    let seconds = began.elapsed().as_secs_f64();
    let hours = match_ms as f64 / 3_600_000.0;
    println!(
        "{} seeds, {failed} with violations, {events} events, {hours:.1} match-hours in {seconds:.1} s",
        arguments.seeds
    );
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
