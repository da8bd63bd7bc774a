//! The engine against Stockfish limited to known ratings.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_arena::statistics::{Mean, performance};
use quadrex_arena::{BuiltInPlayer, Contest, Contestant, Player, Seats, Summary, UciLaunch, UciPlayer};
use quadrex_driver::Time;
use quadrex_engine::Level;
use quadrex_rules::Variant;

use crate::common::{Common, ScoreReport, percent};
use crate::figures::Figures;

/// Classic games against Stockfish limited by `UCI_Elo`, and the rating at which the score would be
/// even. Both players have the same time for each move.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Ratings of Stockfish
    #[arg(long, value_delimiter = ',', default_values_t = [1800, 2000, 2200, 2400])]
    elo: Vec<u32>,
    /// Games at each rating
    #[arg(long, default_value_t = 20)]
    games: usize,
    /// Time for a move in milliseconds
    #[arg(long, default_value_t = 1_000)]
    movetime: u64,
    /// Level of the engine
    #[arg(long, default_value_t = 8)]
    level: u8,
    /// Path of Stockfish [default: from PATH, or from Debian's package]
    #[arg(long)]
    stockfish: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// The path of Debian's package, whose folder is not in every PATH.
const DEBIAN: &str = "/usr/games/stockfish";

/// Plays the games and prints a line for each rating, then the engine's own rating.
///
/// # Errors
/// Returns an error if Stockfish is not installed, or a player makes no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let level = Level::try_from(args.level)?;
    let time = Duration::from_millis(args.movetime);
    let command = stockfish(args)?;
    println!(
        "\nladder, classic: level {} against {command}, {} ms a move for both, drawn after {} plies",
        args.level,
        args.movetime,
        args.common.max_plies(Variant::Classic)
    );
    println!("UCI_Elo   games   score (95 %)           drawn   plies   longest move of Stockfish");
    let mut results = Vec::new();
    for &elo in &args.elo {
        let options = ["UCI_LimitStrength=true".to_owned(), format!("UCI_Elo={elo}")];
        let launch = UciLaunch::parse(&command, &options, Time::Move(time))?;
        let contest = Contest {
            variant: Variant::Classic,
            seats: Seats::Half,
            games: args.games,
            concurrency: args.common.concurrency(),
            max_plies: args.common.max_plies(Variant::Classic),
            seed: args.common.seed,
        };
        let start = |contestant| -> Result<Box<dyn Player>> {
            Ok(match contestant {
                Contestant::A => Box::new(BuiltInPlayer::with_time(level, time)),
                Contestant::B => Box::new(UciPlayer::start(&launch)?),
            })
        };
        let mut score_report = ScoreReport::new(format!("{elo}"));
        let rounds = contest.play(start, |rounds, progress| {
            score_report.show(rounds, progress);
            true
        })?;
        let Summary { games, share, drawn, plies, .. } = Summary::of(&rounds);
        println!(
            "{elo:<9} {games:>5}   {} +- {}   {}   {plies:>5.0}   {:.3} s",
            percent(share.value),
            percent(share.error),
            percent(drawn),
            launch.longest_move().as_secs_f64()
        );
        figures.add(format!("ladder, level {}, against UCI_Elo {elo}", args.level), 100.0 * share.value, "%");
        results.push((f64::from(elo), share, games));
    }
    println!("{}", report(performance(&results)));
    if let Some(Mean { value, error }) = performance(&results) {
        figures.add(format!("ladder, level {}, even", args.level), value, "Elo");
        figures.add(format!("ladder, level {}, even, half the 95 % interval", args.level), error, "Elo");
    }
    Ok(())
}

/// Returns the engine's own rating as text.
fn report(rating: Option<Mean>) -> String {
    match rating {
        Some(Mean { value, error }) => {
            format!("an even score is expected at UCI_Elo {value:.0} +- {error:.0}")
        }
        None => "all games were won or all were lost: the rating is unknown".to_owned(),
    }
}

/// Returns the path of Stockfish.
fn stockfish(args: &Args) -> Result<String> {
    let on_path = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::env::split_paths(&folders).map(|folder| folder.join("stockfish"));
        programs.chain([PathBuf::from(DEBIAN)]).find(|program| program.is_file())
    };
    let program = args.stockfish.clone().or_else(on_path);
    let program =
        program.context("Stockfish is not in PATH; Debian installs it by: apt-get install stockfish")?;
    Ok(program.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_the_rating_with_its_interval_if_it_is_known() {
        let rating = Mean { value: 2049.6, error: 81.2 };
        assert_eq!(report(Some(rating)), "an even score is expected at UCI_Elo 2050 +- 81");
        assert_eq!(report(None), "all games were won or all were lost: the rating is unknown");
    }
}
