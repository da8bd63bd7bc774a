//! Levels against each other.

use anyhow::{Context, Result, ensure};
use quadrex_arena::{BuiltInPlayer, Contest, Contestant, Seats, Summary};
use quadrex_engine::Level;
use quadrex_rules::Variant;

use crate::common::{Common, ScoreReport, percent};
use crate::figures::Figures;

/// Each level against the level below it, with a node limit. With two players the result is the
/// score, in which a draw counts as half a win. With four players, one player of the higher level
/// plays against three of the lower level, equally often on each seat. The result is the fraction
/// of games in which it is the sole winner.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Games of each pair
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Pairs of levels, as LOWER-HIGHER [default: each and the next]
    #[arg(long, value_delimiter = ',', value_parser = pair)]
    pairs: Vec<(Level, Level)>,
    /// Variants
    #[arg(long, value_delimiter = ',', default_values = ["classic", "dilkel"])]
    variant: Vec<Variant>,
    /// Node limit for a move
    #[arg(long, default_value_t = 40_000)]
    nodes: u64,
    #[command(flatten)]
    common: Common,
}

/// Parses a pair of levels.
fn pair(text: &str) -> Result<(Level, Level)> {
    let (lower, higher) = text.split_once('-').context("expected LOWER-HIGHER")?;
    let level = |text: &str| -> Result<Level> {
        let number: u8 = text.parse().with_context(|| format!("{text:?} is not a number"))?;
        Ok(Level::try_from(number)?)
    };
    let (lower, higher) = (level(lower)?, level(higher)?);
    ensure!(lower < higher, "expected the higher level second");
    Ok((lower, higher))
}

/// The required result of the higher level, and the result that equal players would have, as
/// fractions.
struct Bounds {
    required: f64,
    even: f64,
}

impl Bounds {
    fn of(variant: Variant) -> Self {
        if variant.player_count() == 2 {
            Self { required: 0.65, even: 0.5 }
        } else {
            Self { required: 0.4, even: 0.25 }
        }
    }
}

/// Plays the games and prints a line for each pair.
///
/// # Errors
/// Returns an error if a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let each = || Level::all().zip(Level::all().skip(1)).collect();
    let pairs = if args.pairs.is_empty() { each() } else { args.pairs.clone() };
    for &variant in &args.variant {
        let max_plies = args.common.max_plies(variant);
        println!("\nlevels, {variant}: {} nodes a move, drawn after {max_plies} plies", args.nodes);
        println!("{HEAD}");
        for &(lower, higher) in &pairs {
            let contest = Contest {
                variant,
                seats: Seats::One,
                games: args.games,
                concurrency: args.common.concurrency(),
                max_plies,
                seed: args.common.seed,
            };
            let name = format!("{higher} : {lower}", higher = higher.number(), lower = lower.number());
            let start = |contestant| {
                let level = if contestant == Contestant::A { higher } else { lower };
                Ok(BuiltInPlayer::with_nodes(level, args.nodes))
            };
            let mut score_report = ScoreReport::new(name.clone());
            let rounds = contest.play(start, |rounds, progress| {
                score_report.show(rounds, progress);
                true
            })?;
            let summary = Summary::of(&rounds);
            println!("{}", line(&name, variant, &summary));
            let (higher, lower) = (higher.number(), lower.number());
            let name = format!("{variant}, level {higher} against {lower}");
            add_figures(figures, &name, variant, &summary);
        }
    }
    Ok(())
}

/// The heading of the table. `max` is the fraction of games of maximum length.
const HEAD: &str = "levels   games   sole winner (95 %)        share of first place  drawn    max   plies";

/// Returns the result of the higher level in a variant, and the lower end of its confidence
/// interval.
fn result(variant: Variant, summary: &Summary) -> (f64, f64) {
    if variant.player_count() == 2 {
        (summary.share.value, summary.share.lower())
    } else {
        (summary.sole_wins.value, summary.sole_wins.lower)
    }
}

/// Returns the line of a pair.
fn line(name: &str, variant: Variant, summary: &Summary) -> String {
    let Summary { games, share, sole_wins, drawn, max_length, plies } = *summary;
    let (value, lower) = result(variant, summary);
    let Bounds { required, even } = Bounds::of(variant);
    let met = if value >= required && lower > even { "met" } else { "not met" };
    let what = if variant.player_count() == 2 { "share" } else { "sole winner" };
    format!(
        "{name:<8} {games:>5}   {} ({} - {})   {} +- {}   {} {}   {plies:>5.0}   required {what} >= {:.0} %, lower end > {:.0} %: {met}",
        percent(sole_wins.value),
        percent(sole_wins.lower),
        percent(sole_wins.upper),
        percent(share.value),
        percent(share.error),
        percent(drawn),
        percent(max_length),
        100.0 * required,
        100.0 * even,
    )
}

fn add_figures(figures: &mut Figures, name: &str, variant: Variant, summary: &Summary) {
    let (value, lower) = result(variant, summary);
    figures.add(name, 100.0 * value, "%");
    figures.add(format!("{name}, lower end"), 100.0 * lower, "%");
    figures.add(format!("{name}, drawn"), 100.0 * summary.drawn, "%");
}

#[cfg(test)]
mod tests {
    use quadrex_arena::statistics::{Mean, Rate};

    use super::*;

    #[test]
    fn a_pair_is_the_lower_and_the_higher_level() {
        assert_eq!(pair("3-4").unwrap(), (Level::try_from(3).unwrap(), Level::try_from(4).unwrap()));
        for (text, error) in [
            ("3", "expected LOWER-HIGHER"),
            ("3-x", "\"x\" is not a number"),
            ("0-1", "0 is not a level: expected 1 to 8"),
            ("4-4", "expected the higher level second"),
        ] {
            assert_eq!(pair(text).unwrap_err().to_string(), error);
        }
    }

    /// With two players a draw is half a win. With four players only a sole winner has won.
    #[test]
    fn a_line_compares_the_result_with_the_requirement() {
        let share = Mean { value: 0.7, error: 0.05 };
        let sole_wins = Rate::of(120, 400);
        let summary = Summary { games: 400, share, sole_wins, drawn: 0.2, max_length: 0.0, plies: 99.6 };
        let two = line("2 : 1", Variant::Classic, &summary);
        assert!(two.ends_with("100   required share >= 65 %, lower end > 50 %: met"), "{two}");
        let four = line("2 : 1", Variant::Dilkel, &summary);
        assert!(four.ends_with("100   required sole winner >= 40 %, lower end > 25 %: not met"), "{four}");
        let unsure = Summary { share: Mean { value: 0.7, error: 0.25 }, ..summary };
        assert!(line("2 : 1", Variant::Classic, &unsure).ends_with(": not met"));
    }
}
