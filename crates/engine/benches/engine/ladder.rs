//! The engine against Stockfish held back to known ratings.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_engine::Level;
use quadrex_rules::Variant;

use super::common::{Common, Progress, percent};
use super::contest::{Contest, Contestant, Seats};
use super::figures::Figures;
use super::game::Player;
use super::in_process::InProcess;
use super::program::{Launch, Program};
use super::statistics::{Mean, performance};
use super::tally::Tally;

/// Classic games against Stockfish limited by `UCI_Elo`, with the same time for each move of both, and the rating at which
/// the score would be even.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// The ratings Stockfish is held to
    #[arg(long, value_delimiter = ',', default_values_t = [1800, 2000, 2200, 2400])]
    elo: Vec<u32>,
    /// Games at each rating
    #[arg(long, default_value_t = 20)]
    games: usize,
    /// Time for a move, in milliseconds
    #[arg(long, default_value_t = 1_000)]
    movetime: u64,
    /// The level the engine plays at
    #[arg(long, default_value_t = 8)]
    level: u8,
    /// Where Stockfish is [default: on the PATH, or where Debian keeps games]
    #[arg(long)]
    stockfish: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Where Debian's package puts it, which is on no PATH but a player's.
const DEBIAN: &str = "/usr/games/stockfish";

/// Plays, prints a line for each rating and the engine's own, and keeps the figures.
///
/// # Errors
/// When Stockfish is not there, or a player does not play.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let level = Level::try_from(args.level)?;
    let each = Duration::from_millis(args.movetime);
    let command = stockfish(args)?;
    println!(
        "\nladder, classic: level {} against {command}, {} ms a move for both, cut off and drawn after {} plies",
        args.level,
        args.movetime,
        args.common.longest(Variant::Classic)
    );
    println!("UCI_Elo   games   score (95 %)           drawn   plies   longest move of Stockfish");
    let mut results = Vec::new();
    for &elo in &args.elo {
        let options = ["UCI_LimitStrength=true".to_owned(), format!("UCI_Elo={elo}")];
        let launch = Launch::new(&command, &options, &format!("movetime {}", args.movetime))?;
        let contest = Contest {
            variant: Variant::Classic,
            seats: Seats::Half,
            games: args.games,
            concurrency: args.common.concurrency(),
            longest: args.common.longest(Variant::Classic),
            seed: args.common.seed,
        };
        let make = |who| -> Result<Box<dyn Player>> {
            Ok(match who {
                Contestant::A => Box::new(InProcess::with_time(level, each)),
                Contestant::B => Box::new(Program::start(&launch)?),
            })
        };
        let mut progress = Progress::new(format!("{elo}"));
        let rounds = contest.play(make, |rounds| {
            progress.tell(rounds);
            true
        })?;
        let Tally { games, share, drawn, plies, .. } = Tally::of(&rounds);
        println!(
            "{elo:<9} {games:>5}   {} +- {}   {}   {plies:>5.0}   {:.3} s",
            percent(share.value),
            percent(share.error),
            percent(drawn),
            launch.longest().as_secs_f64()
        );
        figures.add(format!("ladder, level {}, against UCI_Elo {elo}", args.level), 100.0 * share.value, "%");
        results.push((f64::from(elo), share, games));
    }
    println!("{}", told(performance(&results)));
    if let Some(Mean { value, error }) = performance(&results) {
        figures.add(format!("ladder, level {}, even", args.level), value, "Elo");
        figures.add(format!("ladder, level {}, even, half the 95 % interval", args.level), error, "Elo");
    }
    Ok(())
}

pub(crate) fn told(rating: Option<Mean>) -> String {
    match rating {
        Some(Mean { value, error }) => {
            format!("an even score is expected at UCI_Elo {value:.0} +- {error:.0}")
        }
        None => "everything was won, or lost: no rating can be told".to_owned(),
    }
}

fn stockfish(args: &Args) -> Result<String> {
    let on_path = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::env::split_paths(&folders).map(|folder| folder.join("stockfish"));
        programs.chain([PathBuf::from(DEBIAN)]).find(|program| program.is_file())
    };
    let program = args.stockfish.clone().or_else(on_path);
    let program = program.context("Stockfish is not on the PATH: on Debian, apt-get install stockfish")?;
    Ok(program.display().to_string())
}
