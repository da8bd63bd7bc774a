//! Search models for four players against each other.

use anyhow::{Context, Result, bail};
use quadrex_arena::{BuiltInPlayer, Contest, Contestant, Seats, Summary};
use quadrex_engine::{Level, Strategy};
use quadrex_rules::Variant;

use crate::common::{Common, ScoreReport, percent};
use crate::figures::Figures;

/// Search models against each other with a node limit. Each model has two seats, in every seating.
/// Half of the first places is an even result.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Games of each pair
    #[arg(long, default_value_t = 240)]
    games: usize,
    /// Pairs, as FIRST-SECOND of paranoid, reply, maxn
    #[arg(long, value_delimiter = ',', value_parser = pair,
        default_values = ["paranoid-reply", "paranoid-maxn", "reply-maxn"])]
    pairs: Vec<(Strategy, Strategy)>,
    /// Variant
    #[arg(long, default_value_t = Variant::Dilkel)]
    variant: Variant,
    /// Node limit for a move
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    #[command(flatten)]
    common: Common,
}

/// Parses a pair of models.
fn pair(text: &str) -> Result<(Strategy, Strategy)> {
    let (first, second) = text.split_once('-').context("expected FIRST-SECOND")?;
    let strategy = |text: &str| match text {
        "paranoid" => Ok(Strategy::Paranoid),
        "reply" => Ok(Strategy::BestReply),
        "maxn" => Ok(Strategy::MaxN),
        _ => bail!("{text:?} is not a model: expected paranoid, reply or maxn"),
    };
    Ok((strategy(first)?, strategy(second)?))
}

/// Plays the games and prints a line for each pair.
///
/// # Errors
/// Returns an error if a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let max_plies = args.common.max_plies(args.variant);
    println!("\nstrategies, {}: {} nodes a move, drawn after {max_plies} plies", args.variant, args.nodes);
    println!("pair                     games   share of first place  drawn    max   plies");
    for &(first, second) in &args.pairs {
        let contest = Contest {
            variant: args.variant,
            seats: Seats::Half,
            games: args.games,
            concurrency: args.common.concurrency(),
            max_plies,
            seed: args.common.seed,
        };
        let start = |contestant| {
            let strategy = if contestant == Contestant::A { first } else { second };
            Ok(BuiltInPlayer::with_nodes(Level::FULL, args.nodes).with_strategy(strategy))
        };
        let name = format!("{first:?} : {second:?}");
        let mut score_report = ScoreReport::new(name.clone());
        let rounds = contest.play(start, |rounds, progress| {
            score_report.show(rounds, progress);
            true
        })?;
        let Summary { games, share, drawn, max_length, plies, .. } = Summary::of(&rounds);
        println!(
            "{name:<24} {games:>5}   {} +- {}     {} {}   {plies:>5.0}",
            percent(share.value),
            percent(share.error),
            percent(drawn),
            percent(max_length)
        );
        figures.add(format!("{}, {name}", args.variant), 100.0 * share.value, "%");
        figures.add(format!("{}, {name}, half interval", args.variant), 100.0 * share.error, "%");
    }
    Ok(())
}
