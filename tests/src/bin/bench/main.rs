//! Measurements of the whole server: what `cargo xtask bench` runs for all but the rules. It prints what it saw and
//! keeps the figures for machines.

mod faults;
mod figures;
mod floods;
mod load;
mod soak;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

use figures::Figures;

#[derive(Parser)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    bench: Bench,
    /// The file the figures are written to
    #[arg(long, global = true)]
    figures: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Bench {
    /// Kill the server and its databases under a swarm, and check that nothing is lost
    Faults(faults::Args),
    /// Measure what floods of one visitor do to all others
    Floods(floods::Args),
    /// Measure how much the server carries
    Server(load::Args),
    /// Let people come and go for long, and see that the server is as it was when all have gone
    Soak(soak::Args),
    /// Serve the bare broadcast that the server is measured against
    #[command(hide = true)]
    Bare,
}

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    let mut figures = Figures::default();
    match cli.bench {
        Bench::Faults(args) => faults::run(&args, &mut figures).await?,
        Bench::Floods(args) => floods::run(&args, &mut figures).await?,
        Bench::Server(args) => load::run(&args, &mut figures).await?,
        Bench::Soak(args) => soak::run(&args, &mut figures).await?,
        Bench::Bare => return load::serve_bare().await,
    }
    if let Some(path) = cli.figures {
        figures.write(&path)?;
    }
    Ok(())
}
