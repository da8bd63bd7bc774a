//! What all tournaments share.

use std::io::{IsTerminal, Write};
use std::thread;

use quadrex_rules::Variant;

use super::contest::Round;
use super::statistics::Mean;

/// What every tournament takes.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// Games at the same time [default: one for each core]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Where games are cut off and drawn, in plies [default: 400 of two players, 2000 of four]
    #[arg(long)]
    plies: Option<usize>,
    /// What the openings are drawn from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Common {
    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    pub(crate) fn longest(&self, variant: Variant) -> usize {
        self.plies.unwrap_or(match variant {
            Variant::Classic => 400,
            Variant::Dilkel | Variant::DilkelCompact => 2000,
        })
    }
}

/// A part of 1 as `12.3 %`.
pub(crate) fn percent(part: f64) -> String {
    format!("{:>5.1} %", 100.0 * part)
}

/// How far a contest has come, on a terminal a line that is written over, else now and then.
pub(crate) struct Progress {
    name: String,
    told_games: usize,
}

/// How many games go by between two lines where no terminal shows them.
const GAMES_BETWEEN_LINES: usize = 50;

impl Progress {
    pub(crate) fn new(name: String) -> Self {
        Self { name, told_games: 0 }
    }

    pub(crate) fn tell(&mut self, rounds: &[Round]) {
        let games: usize = rounds.iter().map(|round| round.games.len()).sum();
        let is_terminal = std::io::stderr().is_terminal();
        if !is_terminal && games < self.told_games + GAMES_BETWEEN_LINES {
            return;
        }
        self.told_games = games;
        let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
        let share = Mean::of(&scores);
        let text =
            format!("{}: {games} games, {} +- {}", self.name, percent(share.value), percent(share.error));
        let mut stderr = std::io::stderr().lock();
        let written = if is_terminal { write!(stderr, "\r{text}   \r") } else { writeln!(stderr, "{text}") };
        // Nobody reads it: the figures are printed and kept all the same.
        drop(written.and_then(|()| stderr.flush()));
    }
}
