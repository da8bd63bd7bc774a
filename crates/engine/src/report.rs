//! What a search tells.

use std::time::Duration;

use quadrex_rules::{Color, Move};

/// What a position is worth to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Points(i32),
    /// Moves of its own until it has won; negative: until it is mated (0: it is mated now).
    Mate(i32),
}

/// One of the best moves and what is expected after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it leads to.
    pub score: Score,
    /// Of four players: how each who is in stands, in hundredths of a pawn, 0 for each if all stand alike: by the position at
    /// its end, or as [`weigh`](crate::Engine::weigh) found. Empty for two.
    pub seats: Vec<(Color, i32)>,
    /// The moves, the one to play first. Never empty.
    pub moves: Vec<Move>,
}

/// How far a search has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Plies looked ahead in full.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// Positions looked at, in all threads.
    pub nodes: u64,
    /// Time since it began, by the watch.
    pub elapsed: Duration,
    /// How much of the table holds positions of this search, in thousandths.
    pub table_full: u32,
    /// The best moves, best first; as many as were asked for and are there.
    pub lines: Vec<Line>,
}

/// The answer of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The move to play; `None` only where there is none to make.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// The last report.
    pub report: Report,
}
