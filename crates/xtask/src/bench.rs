//! `cargo xtask bench NAME`: a measurement, shown as a table and kept as `target/bench/NAME.json` to be compared with
//! another day's.

mod criterion;
mod engine;
mod rules;
mod store;
mod whole;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::Value;

use crate::workspace;

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What
    name: Bench,
    /// Measure a build for this machine's own processor too
    #[arg(long)]
    native: bool,
    /// What the measurements of the engine and of the whole server take; `-- --help` tells
    #[arg(last = true)]
    rest: Vec<String>,
}

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Making and judging moves, beside cozy-chess
    Rules,
    /// The engine's levels against each other, or the engine against others
    Engine,
    /// Nothing is measured: weights of the evaluation are fitted to games of the engine, and printed
    Fit,
    /// The server and its databases killed under load, its lines broken: nothing may be lost
    Faults,
    /// What floods of one visitor do to all others
    Floods,
    /// How much the server carries, beside a bare broadcast
    Server,
    /// People who come and go for long: when all have gone the server must be as it was
    Soak,
    /// Writing moves, committed one by one and together, on both databases
    Store,
}

/// Measures, and writes a list of `{"name", "value", "unit", "ratio_to"?}`: `ratio_to` names the row to divide by.
/// How fast anything was is no error.
///
/// # Errors
/// When the measurement does not build or run, or a figure is missing.
pub(crate) fn run(args: &Args) -> Result<()> {
    let name = args.name.to_possible_value().context("every measurement has a name")?;
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.json", name.get_name()));
    match args.name {
        Bench::Engine => return engine::run(&args.rest, &folder),
        Bench::Fit => return engine::fit(&args.rest),
        Bench::Rules => write(&path, &rules::run(args.native)?)?,
        Bench::Store => write(&path, &store::run()?)?,
        Bench::Faults | Bench::Floods | Bench::Server | Bench::Soak => {
            whole::run(name.get_name(), &args.rest, &path)?;
        }
    }
    println!("kept in {}", path.display());
    Ok(())
}

fn write(path: &Path, rows: &[Value]) -> Result<()> {
    let text = serde_json::to_string_pretty(rows)? + "\n";
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
