//! Ways to take four players' play into account, against each other.

use anyhow::{Context, Result, bail};
use quadrex_engine::{Level, Strategy};
use quadrex_rules::Variant;

use super::common::{Common, Progress, percent};
use super::contest::{Contest, Contestant, Seats};
use super::figures::Figures;
use super::in_process::InProcess;
use super::tally::Tally;

/// Strategies against each other at fixed nodes, two seats each in every seating: half of the first places is par.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Games of each pair
    #[arg(long, default_value_t = 240)]
    games: usize,
    /// Which meet, as FIRST-SECOND of paranoid, reply, maxn
    #[arg(long, value_delimiter = ',', value_parser = pair,
        default_values = ["paranoid-reply", "paranoid-maxn", "reply-maxn"])]
    pairs: Vec<(Strategy, Strategy)>,
    /// In which game
    #[arg(long, default_value_t = Variant::Dilkel)]
    variant: Variant,
    /// Positions a player may look at for a move
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    #[command(flatten)]
    common: Common,
}

fn pair(text: &str) -> Result<(Strategy, Strategy)> {
    let (first, second) = text.split_once('-').context("expected FIRST-SECOND")?;
    let strategy = |text: &str| match text {
        "paranoid" => Ok(Strategy::Paranoid),
        "reply" => Ok(Strategy::BestReply),
        "maxn" => Ok(Strategy::MaxN),
        _ => bail!("{text:?} is none of paranoid, reply, maxn"),
    };
    Ok((strategy(first)?, strategy(second)?))
}

/// Plays, prints a line for each pair, and keeps the figures.
///
/// # Errors
/// When a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let longest = args.common.longest(args.variant);
    println!(
        "\nstrategies, {}: {} nodes a move, cut off and drawn after {longest} plies",
        args.variant, args.nodes
    );
    println!("pair                     games   part of first place   drawn    cut   plies");
    for &(first, second) in &args.pairs {
        let contest = Contest {
            variant: args.variant,
            seats: Seats::Half,
            games: args.games,
            concurrency: args.common.concurrency(),
            longest,
            seed: args.common.seed,
        };
        let make = |who| {
            let strategy = if who == Contestant::A { first } else { second };
            Ok(InProcess::with_nodes(Level::FULL, args.nodes).with_strategy(strategy))
        };
        let name = format!("{first:?} : {second:?}");
        let mut progress = Progress::new(name.clone());
        let rounds = contest.play(make, |rounds| {
            progress.tell(rounds);
            true
        })?;
        let Tally { games, share, drawn, cut, plies, .. } = Tally::of(&rounds);
        println!(
            "{name:<24} {games:>5}   {} +- {}     {} {}   {plies:>5.0}",
            percent(share.value),
            percent(share.error),
            percent(drawn),
            percent(cut)
        );
        figures.add(format!("{}, {name}", args.variant), 100.0 * share.value, "%");
        figures.add(format!("{}, {name}, half interval", args.variant), 100.0 * share.error, "%");
    }
    Ok(())
}
