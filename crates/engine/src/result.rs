//! Results of a search.

use std::time::Duration;

use quadrex_rules::{Color, Move};

/// The score of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// A forced mate in this number of the player's own moves. Negative numbers mean that the
    /// player is mated; 0 means that the player is mated now.
    Mate(i32),
}

/// One of the best moves and its principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score of the move.
    pub score: Score,
    /// The evaluation of the position for each player left, in centipawns relative to an even
    /// position. Empty with two players.
    ///
    /// Each value is the static evaluation at the end of the line, or a result of
    /// [`score_lines_max_n`](crate::Engine::score_lines_max_n).
    pub seats: Vec<(Color, i32)>,
    /// The moves of the line, in order; never empty. The first is the move to play.
    pub moves: Vec<Move>,
}

/// The progress of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The depth of the last complete iteration, in plies.
    pub depth: u32,
    /// The longest line searched, in plies.
    pub selective_depth: u32,
    /// The number of nodes that all threads have searched.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The share of the transposition table that this search has filled, per mille.
    pub table_full: u32,
    /// The best moves, best first; at most as many as were requested.
    pub lines: Vec<Line>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` only in a position without legal moves.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The last report.
    pub report: Report,
}
