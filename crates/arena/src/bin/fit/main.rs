//! Fits the weights of the evaluation to the results of games that the engine plays against itself,
//! and prints them as a source file of `crates/engine/src/evaluation/weights`.
//!
//! `cargo xtask bench fit -- --variant dilkel > crates/engine/src/evaluation/weights/cross.rs`

mod regression;
mod self_play;
mod weights_source;

use clap::Parser;
use quadrex_engine::tuning;
use quadrex_rules::Variant;

/// Fits the weights of the evaluation to games and prints them as source text
#[derive(Debug, Parser)]
#[command(name = "quadrex-fit")]
struct Arguments {
    /// Variant
    #[arg(long, default_value_t = Variant::Classic)]
    variant: Variant,
    /// Number of games
    #[arg(long, default_value_t = 4_000)]
    games: u64,
    /// Node limit for each move
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Iterations of the fit
    #[arg(long, default_value_t = 400)]
    rounds: u32,
}

fn main() {
    let arguments = Arguments::parse();
    let samples = self_play::play(&arguments);
    eprintln!("{} positions", samples.len());
    let before = tuning::weights(arguments.variant);
    let scale = regression::scale(&samples, &before);
    eprintln!("centipawns that multiply the odds by e: {scale:.0}");
    let after = regression::fit(&samples, &before, scale, arguments.rounds);
    print!("{}", weights_source::source(arguments.variant, &after));
}
