//! What the engine is worth: levels, strategies and engines against each other, speed, mates.
//!
//! `cargo xtask bench engine` runs it and keeps the figures.

pub(crate) mod common;
pub(crate) mod contest;
pub(crate) mod duel;
pub(crate) mod figures;
pub(crate) mod game;
pub(crate) mod in_process;
pub(crate) mod ladder;
pub(crate) mod levels;
pub(crate) mod opening;
pub(crate) mod program;
pub(crate) mod random;
pub(crate) mod speed;
pub(crate) mod statistics;
pub(crate) mod stopwatch;
pub(crate) mod strategies;
pub(crate) mod suite;
pub(crate) mod tally;
pub(crate) mod tune;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use figures::Figures;

/// What the engine is worth: speed, mates and levels, or what is named.
#[derive(Debug, Parser)]
#[command(name = "engine")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    measurement: Option<Measurement>,
    /// Where the figures are written
    #[arg(long, global = true)]
    figures: Option<PathBuf>,
    /// What `cargo bench` adds
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    /// Each level against the one below
    Levels(levels::Args),
    /// Ways to take four players' play into account, against each other
    Strategies(strategies::Args),
    /// What each group of the evaluation's weights tells when it is larger or smaller
    Tune(tune::Args),
    /// Two engines that speak UCI against each other
    Match(duel::Args),
    /// The engine against Stockfish held back to known ratings
    Ladder(ladder::Args),
    /// How many mates and defences of the suite are found
    Mates(suite::Args),
    /// Positions a second, depth in a second, time from `stop` to the answer
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
        Some(Measurement::Mates(args)) => suite::run(&args, &mut figures)?,
        None => {
            speed::run(&speed::Args::parse_from(["speed"]), &mut figures)?;
            suite::run(&suite::Args::parse_from(["mates"]), &mut figures)?;
            levels::run(&levels::Args::parse_from(["levels"]), &mut figures)?;
        }
    }
    match arguments.figures {
        Some(path) => figures.write(&path),
        None => Ok(()),
    }
}
