//! What keeps its memory between searches.

use quadrex_rules::{AnyPosition, Move};

use crate::report::{Found, Line, Report, Score};
use crate::search::Search;
use crate::task::{Task, Watch};

/// An engine and what it remembers of earlier searches.
#[derive(Debug)]
pub struct Engine {}

impl Engine {
    /// With a table of so many MiB (at least 1).
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        let _ = table_mib;
        Self {}
    }

    /// Gives the table another size, which forgets what it held.
    pub fn resize(&mut self, table_mib: usize) {
        *self = Self::new(table_mib);
    }

    /// Forgets everything: a new game.
    pub fn clear(&mut self) {}

    /// Chooses a move. `report` hears of each depth that was looked at in full, and of every new best move.
    pub fn search(&mut self, task: &Task<'_>, watch: &dyn Watch, report: &mut dyn FnMut(&Report)) -> Found {
        let legal;
        let moves: &[Move] = if task.moves.is_empty() {
            legal = AnyPosition::legal_moves(task.position);
            &legal
        } else {
            task.moves
        };
        let nodes = task.limits.nodes.unwrap_or(20_000);
        let best = Search::new(task.position, nodes).deepen(moves, task.limits.depth.unwrap_or(3));
        let lines = best.map(|mv| Line { score: Score::Points(0), seats: Vec::new(), moves: vec![mv] });
        let told = Report { depth: 1, elapsed: watch.elapsed(), lines: lines.into_iter().collect(), ..Report::default() };
        report(&told);
        Found { best, ponder: None, report: told }
    }
}
