//! The search stack: data about each ply of the line that is being searched.

use quadrex_rules::movegen::InternalMove;

use super::parameters::MAX_PLY;
use crate::transposition::MoveKey;

/// The data about one ply.
#[derive(Debug, Default)]
pub(super) struct StackEntry {
    /// Buffers for the moves of a node and their order scores. All nodes of the ply reuse them.
    pub(super) moves: Vec<InternalMove>,
    pub(super) order_scores: Vec<i32>,
    /// Quiet moves that caused cutoffs at this ply.
    pub(super) killers: [MoveKey; 2],
    /// The principal variation from this ply on.
    pub(super) pv: Vec<InternalMove>,
    /// The move that is being searched at this ply; `None` for a null move.
    pub(super) current_move: Option<InternalMove>,
    /// The static evaluation for the side to move; `None` if this side is in check.
    pub(super) static_eval: Option<i32>,
}

/// One entry for each ply, the root's first.
#[derive(Debug)]
pub(super) struct SearchStack {
    entries: Vec<StackEntry>,
}

impl SearchStack {
    pub(super) fn new() -> Self {
        Self { entries: (0..MAX_PLY + 2).map(|_| StackEntry::default()).collect() }
    }

    /// Returns the move that led to a ply.
    #[inline(always)]
    pub(super) fn previous_move(&self, ply: usize) -> Option<InternalMove> {
        ply.checked_sub(1).and_then(|ply| self.entries[ply].current_move)
    }

    /// Returns true if `static_eval` is higher than the static evaluation two plies before.
    #[inline(always)]
    pub(super) fn is_improving(&self, ply: usize, static_eval: i32) -> bool {
        ply >= 2 && self.entries[ply - 2].static_eval.is_some_and(|earlier| static_eval > earlier)
    }

    /// Sets the principal variation of a ply to a move and the principal variation of the next ply.
    pub(super) fn update_pv(&mut self, mv: InternalMove, ply: usize) {
        let (here, below) = self.entries.split_at_mut(ply + 1);
        let pv = &mut here[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }

    /// Adds a quiet move that caused a cutoff.
    pub(super) fn add_killer(&mut self, ply: usize, key: MoveKey) {
        let killers = &mut self.entries[ply].killers;
        if killers[0] != key {
            *killers = [key, killers[0]];
        }
    }

    /// Removes the killers of a ply.
    pub(super) fn clear_killers(&mut self, ply: usize) {
        self.entries[ply].killers = [MoveKey::NONE; 2];
    }
}

impl std::ops::Index<usize> for SearchStack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ply]
    }
}

impl std::ops::IndexMut<usize> for SearchStack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply]
    }
}
