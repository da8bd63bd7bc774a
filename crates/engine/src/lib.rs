//! Choosing moves: search and evaluation over the rules, for every variant alike.
//!
//! Pure: the same position and limits give the same move on every machine; no clock is read and no thread
//! started.

mod evaluation;
mod search;

use quadrex_rules::{AnyPosition, Move};

use search::Search;

/// How much may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies looked ahead before captures alone are followed; the first ply is looked at in any case.
    pub depth: u32,
    /// Positions after which no deeper look is begun or finished; the first ply is finished in any case.
    pub nodes: u64,
}

impl Default for Limits {
    /// Some milliseconds' work: one ply, and the captures that may follow.
    fn default() -> Self {
        Self { depth: 1, nodes: 20_000 }
    }
}

/// The best move found for the player to move; `None` if it has none.
///
/// Of moves that are valued alike the first in the order of
/// [`AnyPosition::legal_moves`] is taken.
#[must_use]
pub fn choose(position: &AnyPosition, limits: Limits) -> Option<Move> {
    choose_among(position, &position.legal_moves(), limits)
}

/// As [`choose`], but only one of these legal moves.
#[must_use]
pub fn choose_among(position: &AnyPosition, moves: &[Move], limits: Limits) -> Option<Move> {
    Search::new(position, limits.nodes).deepen(moves, limits.depth)
}
