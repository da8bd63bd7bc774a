//! `cargo xtask bench NAME`: runs a benchmark, prints a table, and writes the figures to
//! `target/bench/NAME.json` for later comparisons.

mod criterion;
mod end_to_end;
mod engine;
mod rules;
mod store;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::Value;

use crate::workspace;
use end_to_end::Cores;

/// The arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Benchmark to run
    name: Bench,
    /// Measure a build for this machine's processor too
    #[arg(long)]
    native: bool,
    /// Arguments of the engine's and the server's benchmarks; `-- --help` lists them
    #[arg(last = true)]
    rest: Vec<String>,
}

/// The benchmarks.
#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Move generation, compared with cozy-chess
    Rules,
    /// Strength and speed of the engine and its levels, also against other engines
    Engine,
    /// Weights of the evaluation, fitted to games of the engine
    Fit,
    /// Nodes of a cluster: latency between them, and matches whose node is killed or stopped
    Cluster,
    /// Durability: the server, its databases and its connections are killed under load, and no
    /// acknowledged command may be lost
    Faults,
    /// Floods of requests from one address, and their effect on other users
    Floods,
    /// Capacity of the server, compared with a bare broadcast
    Server,
    /// Leaks: users come and go for a long time, and no resource may remain in use
    Soak,
    /// Appends per second on both databases, with and without group commit
    Store,
}

/// Runs the benchmark, and writes a list of `{"name", "value", "unit", "ratio_to"?}`. `ratio_to` is
/// the name of the row by which to divide. A slow result is not an error.
///
/// If the benchmark does not build or run, or a figure is missing.
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
        Bench::Cluster => end_to_end::run(name.get_name(), Cores::All, &args.rest, &path)?,
        Bench::Faults | Bench::Floods | Bench::Server | Bench::Soak => {
            end_to_end::run(name.get_name(), Cores::OneForLoad, &args.rest, &path)?;
        }
    }
    println!("written to {}", path.display());
    Ok(())
}

fn write(path: &Path, rows: &[Value]) -> Result<()> {
    let text = serde_json::to_string_pretty(rows)? + "\n";
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
