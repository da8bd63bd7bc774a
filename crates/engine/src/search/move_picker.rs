//! The order in which moves are searched.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, MoveKind};
use quadrex_rules::{Position, Role, VariantRules};

use super::parameters::{ATTACKER_VALUE_LIMIT, PROMOTION_GAIN, UNDERPROMOTION_GAIN, VICTIM_WEIGHT};
use super::static_exchange;
use super::worker::Worker;
use crate::evaluation::{Evaluate, piece_value};
use crate::transposition::MoveKey;

/// The order score of the transposition-table move.
const TABLE_MOVE_ORDER_SCORE: i32 = 4_000_000;
/// The base order score of captures that lose no material.
pub(super) const GOOD_CAPTURE_ORDER_SCORE: i32 = 1_000_000;
const KILLER_ORDER_SCORE: i32 = 900_000;
/// The base order score of captures that lose material.
const LOSING_CAPTURE_ORDER_SCORE: i32 = -1_000_000;

/// The moves of one node and their order scores, which determine the order in which the moves are
/// searched. [`Worker::recycle`] gives the lists of a picker back to the search stack.
pub(super) struct MovePicker {
    pub(super) moves: Vec<InternalMove>,
    pub(super) order_scores: Vec<i32>,
    next: usize,
}

/// A move from a [`MovePicker`].
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) mv: InternalMove,
    pub(super) order_score: i32,
    /// The index in the order of the picker, from 0.
    pub(super) index: usize,
    /// True if the move is neither a capture nor a promotion.
    pub(super) is_quiet: bool,
}

impl MovePicker {
    /// Returns the remaining move with the highest order score. If several moves have this score,
    /// returns the first of these moves.
    #[inline(always)]
    pub(super) fn next<V: VariantRules>(&mut self, position: &Position<V>) -> Option<Pick> {
        let index = self.next;
        // There are two loops, one for the score and one for its index, because each of them
        // compiles to code without branches.
        let remaining_scores = &self.order_scores[index..];
        if remaining_scores.is_empty() {
            return None;
        }
        let highest = remaining_scores.iter().copied().fold(i32::MIN, i32::max);
        let best =
            index + remaining_scores.iter().position(|&order_score| order_score == highest).unwrap_or(0);
        self.moves.swap(index, best);
        self.order_scores.swap(index, best);
        self.next += 1;
        let mv = self.moves[index];
        Some(Pick { mv, order_score: self.order_scores[index], index, is_quiet: is_quiet(position, mv) })
    }

    /// The moves returned so far, in their order.
    pub(super) fn tried(&self) -> &[InternalMove] {
        &self.moves[..self.next]
    }
}

/// Returns true if a move is neither a capture nor a promotion.
#[inline(always)]
pub(super) fn is_quiet<V: VariantRules>(position: &Position<V>, mv: InternalMove) -> bool {
    !position.occupied().has(mv.to) && !is_promotion(mv) && mv.kind != MoveKind::EnPassant
}

pub(super) const fn is_promotion(mv: InternalMove) -> bool {
    matches!(mv.kind, MoveKind::Promotion(_))
}

impl<V: Evaluate> Worker<'_, V> {
    /// Returns a picker of the moves of a node. The order is: the move of the transposition table,
    /// good captures, killers, quiet moves by history, losing captures.
    #[inline(always)]
    pub(super) fn picker(
        &mut self,
        position: &Position<V>,
        moves: Vec<InternalMove>,
        table_move: MoveKey,
        ply: usize,
    ) -> MovePicker {
        let mut order_scores = std::mem::take(&mut self.stack[ply].order_scores);
        order_scores.clear();
        let previous = self.previous_move(ply);
        let killers = self.stack[ply].killers;
        let color = position.turn_index();
        order_scores.extend(moves.iter().map(|&mv| {
            let key = MoveKey::from(mv);
            if key == table_move {
                TABLE_MOVE_ORDER_SCORE
            } else if !is_quiet(position, mv) {
                self.capture_order_score(position, mv)
            } else if key == killers[0] {
                KILLER_ORDER_SCORE
            } else if key == killers[1] {
                KILLER_ORDER_SCORE - 1
            } else {
                self.history.get(color, previous, mv)
            }
        }));
        MovePicker { moves, order_scores, next: 0 }
    }

    /// Gives the lists of a picker back to their ply of the search stack.
    pub(super) fn recycle(&mut self, picker: MovePicker, ply: usize) {
        let entry = &mut self.stack[ply];
        entry.moves = picker.moves;
        entry.order_scores = picker.order_scores;
    }

    /// Returns the order score of a capture or promotion. Static exchange evaluation separates good
    /// captures from losing captures. Within each group the most valuable victim comes first, then
    /// the least valuable attacker (MVV-LVA).
    #[inline(always)]
    fn capture_order_score(&self, position: &Position<V>, mv: InternalMove) -> i32 {
        let captured = static_exchange::captured_value(position, mv);
        // If one opponent captures a piece of another opponent, the root player is not harmed, so
        // the capture is not urgent.
        let is_harmless =
            !self.is_root_player(position) && captured > 0 && !position.owned(self.root_player).has(mv.to);
        let promotion = match mv.kind {
            MoveKind::Promotion(Role::Queen) => PROMOTION_GAIN,
            MoveKind::Promotion(_) => UNDERPROMOTION_GAIN,
            _ => 0,
        };
        let attacker = piece_value(mv.kind.role());
        let gain = VICTIM_WEIGHT * (captured + promotion) - attacker.min(ATTACKER_VALUE_LIMIT);
        if is_harmless {
            gain
        } else if captured >= attacker || static_exchange::gains_at_least(position, mv, 0) {
            GOOD_CAPTURE_ORDER_SCORE + gain
        } else {
            LOSING_CAPTURE_ORDER_SCORE + gain
        }
    }
}
