//! The order in which moves are searched.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, MoveKind};
use quadrex_rules::{Position, Role, VariantRules};

use super::parameters::{ATTACKER_LIMIT, PROMOTION_GAIN, UNDERPROMOTION_GAIN, VICTIM_WEIGHT};
use super::static_exchange;
use super::worker::Worker;
use crate::evaluation::{Evaluate, piece_value};
use crate::transposition::MoveKey;

/// The rank of the transposition-table move.
const TABLE_MOVE: i32 = 4_000_000;
/// Captures that lose nothing are ranked from here up.
pub(super) const GOOD_CAPTURE: i32 = 1_000_000;
const KILLER: i32 = 900_000;
/// Captures that lose material are ranked around here.
const LOSING_CAPTURE: i32 = -1_000_000;

/// The moves of one node, handed out by rank. The lists are the stack's, to be given back by
/// [`Worker::recycle`].
pub(super) struct MovePicker {
    pub(super) moves: Vec<InternalMove>,
    pub(super) ranks: Vec<i32>,
    next: usize,
}

/// A move handed out by a [`MovePicker`].
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) mv: InternalMove,
    pub(super) rank: i32,
    /// Its number among the node's moves, from 0.
    pub(super) index: usize,
    /// True if it neither captures nor promotes.
    pub(super) is_quiet: bool,
}

impl MovePicker {
    /// Returns the remaining move of the highest rank; of equals the first.
    #[inline(always)]
    pub(super) fn next<V: VariantRules>(&mut self, position: &Position<V>) -> Option<Pick> {
        let index = self.next;
        // The highest rank first and then its index, so that both loops are without a branch.
        let rest = &self.ranks[index..];
        if rest.is_empty() {
            return None;
        }
        let highest = rest.iter().copied().fold(i32::MIN, i32::max);
        let best = index + rest.iter().position(|&rank| rank == highest).unwrap_or(0);
        self.moves.swap(index, best);
        self.ranks.swap(index, best);
        self.next += 1;
        let mv = self.moves[index];
        Some(Pick { mv, rank: self.ranks[index], index, is_quiet: is_quiet(position, mv) })
    }

    /// The moves handed out so far, in their order.
    pub(super) fn tried(&self) -> &[InternalMove] {
        &self.moves[..self.next]
    }
}

/// Returns whether a move neither captures nor promotes.
#[inline(always)]
pub(super) fn is_quiet<V: VariantRules>(position: &Position<V>, mv: InternalMove) -> bool {
    !position.occupied().has(mv.to) && !is_promotion(mv) && mv.kind != MoveKind::EnPassant
}

pub(super) const fn is_promotion(mv: InternalMove) -> bool {
    matches!(mv.kind, MoveKind::Promotion(_))
}

impl<V: Evaluate> Worker<'_, V> {
    /// Ranks the moves of a node: the table move, captures that gain, killers, quiet moves by
    /// history, losing captures.
    #[inline(always)]
    pub(super) fn picker(
        &mut self,
        position: &Position<V>,
        moves: Vec<InternalMove>,
        table_move: MoveKey,
        ply: usize,
    ) -> MovePicker {
        let mut ranks = std::mem::take(&mut self.stack[ply].ranks);
        ranks.clear();
        let previous = self.previous_move(ply);
        let killers = self.stack[ply].killers;
        let color = position.turn_index();
        ranks.extend(moves.iter().map(|&mv| {
            let key = MoveKey::from(mv);
            if key == table_move {
                TABLE_MOVE
            } else if !is_quiet(position, mv) {
                self.capture_rank(position, mv)
            } else if key == killers[0] {
                KILLER
            } else if key == killers[1] {
                KILLER - 1
            } else {
                self.history.get(color, previous, mv)
            }
        }));
        MovePicker { moves, ranks, next: 0 }
    }

    /// Gives the lists of a picker back to their ply.
    pub(super) fn recycle(&mut self, picker: MovePicker, ply: usize) {
        let entry = &mut self.stack[ply];
        entry.moves = picker.moves;
        entry.ranks = picker.ranks;
    }

    /// Returns the rank of a capture or promotion, by victim and attacker (MVV-LVA) and static
    /// exchange.
    #[inline(always)]
    fn capture_rank(&self, position: &Position<V>, mv: InternalMove) -> i32 {
        let captured = static_exchange::captured_value(position, mv);
        // A capture among opponents does the root player no harm.
        let is_harmless =
            !self.is_root_player(position) && captured > 0 && !position.owned(self.root_player).has(mv.to);
        let promotion = match mv.kind {
            MoveKind::Promotion(Role::Queen) => PROMOTION_GAIN,
            MoveKind::Promotion(_) => UNDERPROMOTION_GAIN,
            _ => 0,
        };
        let attacker = piece_value(mv.kind.role());
        let gain = VICTIM_WEIGHT * (captured + promotion) - attacker.min(ATTACKER_LIMIT);
        if is_harmless {
            gain
        } else if captured >= attacker || static_exchange::gains(position, mv, 0) {
            GOOD_CAPTURE + gain
        } else {
            LOSING_CAPTURE + gain
        }
    }
}
