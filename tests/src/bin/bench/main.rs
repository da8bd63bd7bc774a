//! Measurements of the whole server. `cargo xtask bench` runs this program for all benches except
//! those of the rules. It prints the results and writes the figures as JSON.

mod cluster;
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
    /// The file for the figures
    #[arg(long, global = true)]
    figures: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Bench {
    /// Measure the latency between nodes, and lose nodes while matches are played
    Cluster(cluster::Args),
    /// Kill the server and its databases under a swarm, and check that nothing is lost
    Faults(faults::Args),
    /// Measure the effect of one visitor's floods on everybody else
    Floods(floods::Args),
    /// Measure the load that the server can carry
    Server(load::Args),
    /// Let people come and go for a long time, and check that the server then holds as little as
    /// before
    Soak(soak::Args),
    /// Serve the bare broadcast that the server is compared with
    #[command(hide = true)]
    Bare,
}

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    let mut figures = Figures::default();
    match cli.bench {
        Bench::Cluster(args) => cluster::run(&args, &mut figures).await?,
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
