//! Two engines against each other.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_arena::statistics::{LLR_BOUND, Mean, elo_of_score, log_likelihood_ratio};
use quadrex_arena::{Contest, Contestant, Round, Seats, Summary, UciLaunch, UciPlayer};
use quadrex_driver::Time;
use quadrex_rules::Variant;

use crate::common::{Common, ScoreReport, percent};
use crate::figures::Figures;

/// Two UCI engines against each other: A's share of the first places and the difference in Elo.
/// Each opening is played in all seatings, and each seat has a process of its own.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Command of the first engine, with its arguments
    #[arg(long)]
    engine_a: String,
    /// Command of the second engine
    #[arg(long)]
    engine_b: String,
    /// Option of the first engine; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option_a: Vec<String>,
    /// Option of the second engine; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Variant
    #[arg(long, default_value = "classic")]
    variant: Variant,
    /// Maximum number of games
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Seats of the engines with four players
    #[arg(long, default_value = "half")]
    seats: Seats,
    /// Node limit for a move [default: 10000, unless there is a time]
    #[arg(long)]
    nodes: Option<u64>,
    /// Time for a move in milliseconds
    #[arg(long, conflicts_with = "nodes")]
    movetime: Option<u64>,
    /// Two Elo differences; stop as soon as A is shown to be at most the first or at least the
    /// second better
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', allow_hyphen_values = true)]
    sprt: Vec<f64>,
    #[command(flatten)]
    common: Common,
}

/// Plays the games and prints the result.
///
/// # Errors
/// Returns an error if an engine does not start, or makes an illegal move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let (limit, limit_text) = match (args.nodes, args.movetime) {
        (_, Some(ms)) => (Time::Move(Duration::from_millis(ms)), format!("movetime {ms}")),
        (nodes, None) => {
            let nodes = nodes.unwrap_or(10_000);
            (Time::Nodes(nodes), format!("nodes {nodes}"))
        }
    };
    let a = UciLaunch::parse(&args.engine_a, &args.option_a, limit.clone())?;
    let b = UciLaunch::parse(&args.engine_b, &args.option_b, limit)?;
    let is_even = args.seats == Seats::Half || args.variant.player_count() == 2;
    let elos = match *args.sprt.as_slice() {
        [] => None,
        [first, second] => {
            ensure!(first < second, "--sprt: expected the smaller difference first");
            ensure!(is_even, "--sprt: expected as many seats for both engines");
            Some((first, second))
        }
        _ => anyhow::bail!("--sprt: expected two differences"),
    };
    let contest = Contest {
        variant: args.variant,
        seats: args.seats,
        games: args.games,
        concurrency: args.common.concurrency(),
        max_plies: args.common.max_plies(args.variant),
        seed: args.common.seed,
    };
    println!(
        "\nA: {}\nB: {}\n{}, go {limit_text}, drawn after {} plies",
        a.command(),
        b.command(),
        args.variant,
        contest.max_plies
    );
    let mut score_report = ScoreReport::new("A".to_owned());
    let start = |contestant| UciPlayer::start(if contestant == Contestant::A { &a } else { &b });
    let rounds = contest.play(start, |rounds, progress| {
        score_report.show(rounds, progress);
        elos.is_none_or(|elos| ratio(rounds, elos).abs() < LLR_BOUND)
    })?;
    let summary = Summary::of(&rounds);
    println!("{}", report(&summary, is_even));
    if let Some((first, second)) = elos {
        let ratio = ratio(&rounds, (first, second));
        println!("{}", verdict(ratio, first, second));
    }
    println!(
        "longest move: A {:.3} s, B {:.3} s",
        a.longest_move().as_secs_f64(),
        b.longest_move().as_secs_f64()
    );
    let name = format!("{}, A against B", args.variant);
    figures.add(&name, 100.0 * summary.share.value, "%");
    figures.add(format!("{name}, half the 95 % interval"), 100.0 * summary.share.error, "%");
    figures.add(format!("{name}, drawn"), 100.0 * summary.drawn, "%");
    Ok(())
}

fn ratio(rounds: &[Round], elos: (f64, f64)) -> f64 {
    let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
    log_likelihood_ratio(&scores, elos)
}

/// Returns the result of the sequential test.
fn verdict(ratio: f64, first: f64, second: f64) -> String {
    let result = if ratio >= LLR_BOUND {
        format!("A is better by {second} Elo or more")
    } else if ratio <= -LLR_BOUND {
        format!("A is better by {first} Elo or less")
    } else {
        "undecided".to_owned()
    };
    format!("log likelihood ratio of {second} to {first} Elo: {ratio:.2} (bound {LLR_BOUND}): {result}")
}

/// Returns A's result as text. If both engines have the same number of seats (`is_even`), half of
/// the first places is an even score, and the text contains the Elo difference.
fn report(summary: &Summary, is_even: bool) -> String {
    let Summary { games, share, sole_wins, drawn, max_length, plies } = *summary;
    let mut text = format!(
        "{games} games: A has {} +- {} of the first places, alone in {} of the games; {} drawn, {} of maximum length, {plies:.0} plies",
        percent(share.value).trim_start(),
        percent(share.error).trim_start(),
        percent(sole_wins.value).trim_start(),
        percent(drawn).trim_start(),
        percent(max_length).trim_start(),
    );
    if is_even {
        let Mean { value, .. } = share;
        text += &format!(
            "\nA is better by {:+.0} Elo (95 %: {:+.0} to {:+.0})",
            elo_of_score(value),
            elo_of_score(share.lower()),
            elo_of_score(share.upper())
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use quadrex_arena::statistics::Rate;

    use super::*;

    #[test]
    fn the_report_has_an_elo_difference_if_the_seats_are_even() {
        let share = Mean { value: 0.64, error: 0.04 };
        let sole_wins = Rate::of(60, 100);
        let summary = Summary { games: 100, share, sole_wins, drawn: 0.08, max_length: 0.0, plies: 80.0 };
        assert_eq!(
            report(&summary, true),
            "100 games: A has 64.0 % +- 4.0 % of the first places, alone in 60.0 % of the games; 8.0 % drawn, 0.0 % of \
             maximum length, 80 plies\n\
             A is better by +100 Elo (95 %: +70 to +131)"
        );
        assert!(!report(&summary, false).contains("Elo"));
    }

    #[test]
    fn the_verdict_follows_from_the_ratio() {
        assert!(verdict(3.0, 0.0, 20.0).ends_with("A is better by 20 Elo or more"));
        assert!(verdict(-3.0, 0.0, 20.0).ends_with("A is better by 0 Elo or less"));
        assert!(verdict(1.0, 0.0, 20.0).ends_with("undecided"));
    }
}
