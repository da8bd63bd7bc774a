//! Fits the weights of the evaluation to the outcomes of games that the engine plays against itself, and prints them
//! as they stand in `src/evaluation/weights`.
//!
//! `cargo xtask bench fit -- --variant dilkel --games 4000 > crates/engine/src/evaluation/weights/cross.rs`

pub(crate) mod games;
#[path = "../engine/opening.rs"]
pub(crate) mod opening;
#[path = "../engine/random.rs"]
pub(crate) mod random;
pub(crate) mod regression;
pub(crate) mod table;

use clap::Parser;
use quadrex_engine::tuning;
use quadrex_rules::Variant;

/// Fits the weights of the evaluation to games.
#[derive(Debug, Parser)]
#[command(name = "fit")]
pub(crate) struct Arguments {
    /// Which game
    #[arg(long, default_value_t = Variant::Classic)]
    variant: Variant,
    /// How many games are played
    #[arg(long, default_value_t = 4_000)]
    games: u64,
    /// Positions looked at for each move
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// How many games are played at once
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Rounds of fitting
    #[arg(long, default_value_t = 400)]
    rounds: u32,
    /// What cargo bench adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let samples = games::play(&arguments);
    eprintln!("{} positions", samples.len());
    let before = tuning::weights(arguments.variant);
    let scale = regression::scale(&samples, &before);
    eprintln!("hundredths of a pawn that make the odds e times as good: {scale:.0}");
    let after = regression::fit(&samples, &before, scale, arguments.rounds);
    print!("{}", table::write(arguments.variant, &after));
}
