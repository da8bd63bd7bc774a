//! Two engines against each other.

use anyhow::{Result, ensure};
use quadrex_rules::Variant;

use super::common::{Common, Progress, percent};
use super::contest::{Contest, Contestant, Round, Seats};
use super::figures::Figures;
use super::program::{Launch, Program};
use super::statistics::{LLR_BOUND, Mean, elo_of_score, log_likelihood_ratio};
use super::tally::Tally;

/// Two engines that speak UCI against each other, A's part of the first places and what it is in Elo. Every opening is
/// played in all seatings, and each seat has a program of its own.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// The command of the first, with its arguments
    #[arg(long)]
    engine_a: String,
    /// The command of the second
    #[arg(long)]
    engine_b: String,
    /// An option of the first, as NAME=VALUE; may be given again
    #[arg(long, value_name = "NAME=VALUE")]
    option_a: Vec<String>,
    /// An option of the second
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Which game
    #[arg(long, default_value = "classic")]
    variant: Variant,
    /// Games at most
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Who sits where with four players
    #[arg(long, default_value = "half")]
    seats: Seats,
    /// Positions looked at for a move [default: 10000, unless there is a time]
    #[arg(long)]
    nodes: Option<u64>,
    /// Time for a move, in milliseconds
    #[arg(long, conflicts_with = "nodes")]
    movetime: Option<u64>,
    /// End as soon as A is shown to be at most the first or at least the second of two differences in Elo
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', allow_hyphen_values = true)]
    sprt: Vec<f64>,
    #[command(flatten)]
    common: Common,
}

/// Plays and prints the result.
///
/// # Errors
/// When an engine does not start or plays something that is not legal.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let go = match (args.nodes, args.movetime) {
        (_, Some(ms)) => format!("movetime {ms}"),
        (nodes, None) => format!("nodes {}", nodes.unwrap_or(10_000)),
    };
    let a = Launch::new(&args.engine_a, &args.option_a, &go)?;
    let b = Launch::new(&args.engine_b, &args.option_b, &go)?;
    let is_even = args.seats == Seats::Half || args.variant.player_count() == 2;
    let elos = match *args.sprt.as_slice() {
        [] => None,
        [first, second] => {
            ensure!(first < second, "--sprt: the smaller difference comes first");
            ensure!(is_even, "--sprt: both need as many seats");
            Some((first, second))
        }
        _ => anyhow::bail!("--sprt: expected two differences"),
    };
    let contest = Contest {
        variant: args.variant,
        seats: args.seats,
        games: args.games,
        concurrency: args.common.concurrency(),
        longest: args.common.longest(args.variant),
        seed: args.common.seed,
    };
    println!(
        "\nA: {}\nB: {}\n{}, go {go}, cut off and drawn after {} plies",
        a.command, b.command, args.variant, contest.longest
    );
    let mut progress = Progress::new("A".to_owned());
    let make = |who| Program::start(if who == Contestant::A { &a } else { &b });
    let rounds = contest.play(make, |rounds| {
        progress.tell(rounds);
        elos.is_none_or(|elos| ratio(rounds, elos).abs() < LLR_BOUND)
    })?;
    let tally = Tally::of(&rounds);
    println!("{}", told(&tally, is_even));
    if let Some((first, second)) = elos {
        let ratio = ratio(&rounds, (first, second));
        println!("{}", verdict(ratio, first, second));
    }
    println!("longest move: A {:.3} s, B {:.3} s", a.longest().as_secs_f64(), b.longest().as_secs_f64());
    let name = format!("{}, A against B", args.variant);
    figures.add(&name, 100.0 * tally.share.value, "%");
    figures.add(format!("{name}, half the 95 % interval"), 100.0 * tally.share.error, "%");
    figures.add(format!("{name}, drawn"), 100.0 * tally.drawn, "%");
    Ok(())
}

fn ratio(rounds: &[Round], elos: (f64, f64)) -> f64 {
    let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
    log_likelihood_ratio(&scores, elos)
}

pub(crate) fn verdict(ratio: f64, first: f64, second: f64) -> String {
    let words = if ratio >= LLR_BOUND {
        format!("A is better by {second} Elo or more")
    } else if ratio <= -LLR_BOUND {
        format!("A is better by {first} Elo or less")
    } else {
        "not decided".to_owned()
    };
    format!("log likelihood ratio of {second} to {first} Elo: {ratio:.2} (decided at {LLR_BOUND}): {words}")
}

/// A's result; in Elo where both have as many seats, so that half of the first places is an even score.
pub(crate) fn told(tally: &Tally, is_even: bool) -> String {
    let Tally { games, share, alone, drawn, cut, plies } = *tally;
    let mut text = format!(
        "{games} games: A has {} +- {} of the first places, alone in {} of the games; {} drawn, {} cut off, {plies:.0} plies",
        percent(share.value).trim_start(),
        percent(share.error).trim_start(),
        percent(alone.value).trim_start(),
        percent(drawn).trim_start(),
        percent(cut).trim_start(),
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
