//! Arguments and output that all tournaments share.

use std::io::Write;
use std::thread;

use quadrex_arena::Round;
use quadrex_arena::statistics::Mean;
use quadrex_progress::Progress;
use quadrex_rules::Variant;

/// The arguments of every tournament.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// Games at the same time [default: one for each core]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Maximum length of a game in plies, then a draw [default: 400 with two players, 2000 with
    /// four]
    #[arg(long)]
    plies: Option<usize>,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Common {
    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    pub(crate) fn max_plies(&self, variant: Variant) -> usize {
        self.plies.unwrap_or(if variant.player_count() == 2 { 400 } else { 2000 })
    }
}

/// Returns a fraction as `12.3 %`.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{:>5.1} %", 100.0 * fraction)
}

/// The score of a contest so far, on standard error. On a terminal it is shown in the progress bar.
/// Elsewhere a new line is written now and then.
pub(crate) struct ScoreReport {
    name: String,
    reported_games: usize,
}

/// The number of games between two lines if standard error is not a terminal.
const GAMES_BETWEEN_LINES: usize = 50;

impl ScoreReport {
    pub(crate) fn new(name: String) -> Self {
        Self { name, reported_games: 0 }
    }

    pub(crate) fn show(&mut self, rounds: &[Round], progress: &Progress) {
        let games: usize = rounds.iter().map(|round| round.games.len()).sum();
        if !progress.is_shown() && games < self.reported_games + GAMES_BETWEEN_LINES {
            return;
        }
        self.reported_games = games;
        let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
        let share = Mean::of(&scores);
        let score = format!("{} +- {}", percent(share.value), percent(share.error));
        progress.describe(format_args!("{}: {score}", self.name));
        if !progress.is_shown() {
            // A closed standard error does not matter, because the figures are printed and stored
            // anyway.
            drop(writeln!(std::io::stderr(), "{}: {games} games, {score}", self.name));
        }
    }
}
