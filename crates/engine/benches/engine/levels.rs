//! Each level against the one below.

use anyhow::{Context, Result, ensure};
use quadrex_engine::Level;
use quadrex_rules::Variant;

use super::common::{Common, Progress, percent};
use super::contest::{Contest, Contestant, Seats};
use super::figures::Figures;
use super::in_process::InProcess;
use super::tally::Tally;

/// Each level against the one below, at fixed nodes. In classic the score counts, a draw as half; with four players one
/// of the higher level sits among three of the lower, on each seat as often, and games count in which it is first alone.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Games of each pair
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Which levels meet, as LOWER-HIGHER [default: each and the next]
    #[arg(long, value_delimiter = ',', value_parser = pair)]
    pairs: Vec<(Level, Level)>,
    /// In which games
    #[arg(long, value_delimiter = ',', default_values = ["classic", "dilkel"])]
    variant: Vec<Variant>,
    /// Positions a player may look at for a move
    #[arg(long, default_value_t = 40_000)]
    nodes: u64,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn pair(text: &str) -> Result<(Level, Level)> {
    let (lower, higher) = text.split_once('-').context("expected LOWER-HIGHER")?;
    let level = |text: &str| -> Result<Level> {
        let number: u8 = text.parse().with_context(|| format!("{text:?} is no number"))?;
        Ok(Level::try_from(number)?)
    };
    let (lower, higher) = (level(lower)?, level(higher)?);
    ensure!(lower < higher, "the higher level comes second");
    Ok((lower, higher))
}

/// What is asked of the higher level, and what chance would give it, as parts of 1.
struct Bounds {
    asked: f64,
    chance: f64,
}

impl Bounds {
    fn of(variant: Variant) -> Self {
        match variant {
            Variant::Classic => Self { asked: 0.65, chance: 0.5 },
            Variant::Dilkel | Variant::DilkelCompact => Self { asked: 0.4, chance: 0.25 },
        }
    }
}

/// Plays, prints a line for each pair, and keeps the figures.
///
/// # Errors
/// When a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let each = || Level::all().zip(Level::all().skip(1)).collect();
    let pairs = if args.pairs.is_empty() { each() } else { args.pairs.clone() };
    for &variant in &args.variant {
        let longest = args.common.longest(variant);
        println!("\nlevels, {variant}: {} nodes a move, cut off and drawn after {longest} plies", args.nodes);
        println!("{HEAD}");
        for &(lower, higher) in &pairs {
            let contest = Contest {
                variant,
                seats: Seats::One,
                games: args.games,
                concurrency: args.common.concurrency(),
                longest,
                seed: args.common.seed,
            };
            let name = format!("{higher} : {lower}", higher = higher.number(), lower = lower.number());
            let make = |who| {
                let level = if who == Contestant::A { higher } else { lower };
                Ok(InProcess::with_nodes(level, args.nodes))
            };
            let mut progress = Progress::new(name.clone());
            let rounds = contest.play(make, |rounds| {
                progress.tell(rounds);
                true
            })?;
            let tally = Tally::of(&rounds);
            println!("{}", line(&name, variant, &tally));
            keep(
                figures,
                &format!(
                    "{variant}, level {higher} against {lower}",
                    higher = higher.number(),
                    lower = lower.number()
                ),
                variant,
                &tally,
            );
        }
    }
    Ok(())
}

const HEAD: &str = "levels   games   first alone (95 %)        part of first place   drawn    cut   plies";

/// What is asked, what came of it, and the lower end of its interval.
fn judged(variant: Variant, tally: &Tally) -> (f64, f64) {
    match variant {
        Variant::Classic => (tally.share.value, tally.share.lower()),
        Variant::Dilkel | Variant::DilkelCompact => (tally.alone.value, tally.alone.lower),
    }
}

pub(crate) fn line(name: &str, variant: Variant, tally: &Tally) -> String {
    let Tally { games, share, alone, drawn, cut, plies } = *tally;
    let (value, lower) = judged(variant, tally);
    let Bounds { asked, chance } = Bounds::of(variant);
    let met = if value >= asked && lower > chance { "met" } else { "not met" };
    let what = if variant == Variant::Classic { "part" } else { "alone" };
    format!(
        "{name:<8} {games:>5}   {} ({} - {})   {} +- {}   {} {}   {plies:>5.0}   asked {what} >= {:.0} %, lower end > {:.0} %: {met}",
        percent(alone.value),
        percent(alone.lower),
        percent(alone.upper),
        percent(share.value),
        percent(share.error),
        percent(drawn),
        percent(cut),
        100.0 * asked,
        100.0 * chance,
    )
}

fn keep(figures: &mut Figures, name: &str, variant: Variant, tally: &Tally) {
    let (value, lower) = judged(variant, tally);
    figures.add(name, 100.0 * value, "%");
    figures.add(format!("{name}, lower end"), 100.0 * lower, "%");
    figures.add(format!("{name}, drawn"), 100.0 * tally.drawn, "%");
}
