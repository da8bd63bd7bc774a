//! `cargo xtask bench NAME`: a measurement, shown as a table and kept as `target/bench/NAME.json` to be compared with
//! another day's.

mod criterion;
mod rules;

use std::fs;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::workspace;

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What
    name: Bench,
    /// Measure a build for this machine's own processor too
    #[arg(long)]
    native: bool,
}

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Making and judging moves, beside cozy-chess
    Rules,
}

/// Measures, and writes a list of `{"name", "value", "unit", "ratio_to"?}`: `ratio_to` names the row to divide by.
/// How fast anything was is no error.
///
/// # Errors
/// When the measurement does not build or run, or a figure is missing.
pub(crate) fn run(args: &Args) -> Result<()> {
    let (name, rows) = match args.name {
        Bench::Rules => ("rules", rules::run(args.native)?),
    };
    let folder = workspace::target().join("bench");
    let path = folder.join(format!("{name}.json"));
    fs::create_dir_all(&folder)?;
    let text = serde_json::to_string_pretty(&rows)? + "\n";
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    println!("kept in {}", path.display());
    Ok(())
}
