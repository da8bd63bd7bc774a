//! Measurements of the engine: levels, strategies and engines against each other, speed, mates.
//!
//! `cargo xtask bench engine` runs it and keeps the figures.

mod common;
mod duel;
mod figures;
mod ladder;
mod levels;
mod mates;
mod speed;
mod strategies;
mod tune;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use figures::Figures;

/// Measures the engine: speed, mates and levels, or the named measurement
#[derive(Debug, Parser)]
#[command(name = "quadrex-arena")]
struct Arguments {
    #[command(subcommand)]
    measurement: Option<Measurement>,
    /// File for the figures
    #[arg(long, global = true)]
    figures: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    /// Each level against the one below
    Levels(levels::Args),
    /// Search models for four players against each other
    Strategies(strategies::Args),
    /// Effect of each group of evaluation weights when it is larger or smaller
    Tune(tune::Args),
    /// Two UCI engines against each other
    Match(duel::Args),
    /// The engine against Stockfish limited to known ratings
    Ladder(ladder::Args),
    /// Number of mates and defences of the suite that are found
    Mates(mates::Args),
    /// Nodes per second, depth in a second, time from `stop` to the answer
    Speed(speed::Args),
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let mut figures = Figures::default();
    match arguments.measurement {
        Some(Measurement::Levels(args)) => levels::run(&args, &mut figures)?,
        Some(Measurement::Strategies(args)) => strategies::run(&args, &mut figures)?,
        Some(Measurement::Tune(args)) => tune::run(&args, &mut figures)?,
        Some(Measurement::Match(args)) => duel::run(&args, &mut figures)?,
        Some(Measurement::Ladder(args)) => ladder::run(&args, &mut figures)?,
        Some(Measurement::Speed(args)) => speed::run(&args, &mut figures)?,
        Some(Measurement::Mates(args)) => mates::run(&args, &mut figures)?,
        None => {
            speed::run(&speed::Args::parse_from(["speed"]), &mut figures)?;
            mates::run(&mates::Args::parse_from(["mates"]), &mut figures)?;
            levels::run(&levels::Args::parse_from(["levels"]), &mut figures)?;
        }
    }
    match arguments.figures {
        Some(path) => figures.write(&path),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
