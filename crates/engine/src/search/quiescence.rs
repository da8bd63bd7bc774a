//! Quiescence search: captures are searched until the position is quiet. In the middle of a series
//! of captures the static evaluation is meaningless.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, MoveKind};
use quadrex_rules::{Position, Role};

use super::alpha_beta::BestMove;
use super::move_picker::{MovePicker, Pick, is_promotion};
use super::parameters::{
    DELTA_MARGIN, EN_PASSANT_GAIN, MAX_PLY, PROMOTION_GAIN, QUIESCENCE_EVASION_PLIES, QUIET_EVASION_LIMIT,
};
use super::score::{FORCED_WIN, INFINITY, score_to_table};
use super::static_exchange;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::{Evaluate, piece_value};
use crate::transposition::{Bound, Entry, MoveKey};

/// A node of the quiescence search.
#[derive(Clone, Copy)]
struct QuiescenceNode {
    window: Window,
    /// The number of plies of quiescence search above this node.
    depth: i32,
    ply: usize,
    /// True if the player is in check and its evasions are searched. In this case the player may
    /// not stand pat.
    searches_evasions: bool,
    /// The score of making no capture.
    stand_pat: i32,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a position for the side to move, found by a search of captures and, in
    /// check, of evasions. `depth` is the number of plies of quiescence search above this node.
    pub(super) fn quiescence(
        &mut self,
        position: &Position<V>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        self.stack[ply].pv.clear();
        self.node_counter.count_node(self.shared);
        self.selective_depth = self.selective_depth.max(ply);
        if self.is_stopped() || ply >= MAX_PLY {
            return self.static_eval(position);
        }
        if depth > 0
            && let Some(score) = self.terminal_score(position, ply)
        {
            return score;
        }
        let key = position.hash() ^ self.key_salt;
        let entry = self.table.get(key);
        if let Some(score) = entry.and_then(|entry| window.cutoff(entry, ply)) {
            return score;
        }
        let player = position.turn_index();
        let in_check = !position.checkers(player).is_empty();
        // A bare king is often stalemated. A stalemate is a draw, whatever the static evaluation.
        if !in_check && !position.owned(player).has_two() && !position.has_legal_move() {
            return self.draw_score(position);
        }
        let searches_evasions = in_check && depth < QUIESCENCE_EVASION_PLIES;
        let stand_pat = if searches_evasions { -INFINITY } else { self.static_eval(position) };
        if stand_pat >= window.beta {
            return stand_pat;
        }
        let moves = self.quiescence_moves(position, searches_evasions, ply);
        if searches_evasions && moves.is_empty() {
            self.stack[ply].moves = moves;
            return self.score_without_moves(position, true, ply, window, |worker, next, window| {
                worker.quiescence(next, window, depth + 1, ply)
            });
        }
        let table_move = entry.map_or(MoveKey::NONE, |entry| entry.mv);
        let mut picker = self.picker(position, moves, table_move, ply);
        let best = self.search_captures(
            position,
            QuiescenceNode { window, depth, ply, searches_evasions, stand_pat },
            &mut picker,
        );
        self.recycle(picker, ply);
        if !self.is_stopped() {
            let bound = if best.score >= window.beta { Bound::Lower } else { Bound::Upper };
            let score = score_to_table(best.score, ply);
            self.table.put(key, Entry { mv: best.key(), score, depth: 0, bound });
        }
        best.score
    }

    #[inline(always)]
    fn search_captures(
        &mut self,
        position: &Position<V>,
        node: QuiescenceNode,
        picker: &mut MovePicker,
    ) -> BestMove {
        let QuiescenceNode { window, depth, ply, stand_pat, .. } = node;
        let mut best = BestMove { score: stand_pat, ..BestMove::new(window.alpha.max(stand_pat)) };
        while let Some(pick) = picker.next(position) {
            if skip_capture(position, &node, &best, pick) {
                continue;
            }
            let mut next = *position;
            next.make_internal(pick.mv);
            self.stack[ply].current_move = Some(pick.mv);
            let score =
                self.child_score(position, &next, Window::new(best.alpha, window.beta), |worker, window| {
                    worker.quiescence(&next, window, depth + 1, ply + 1)
                });
            if self.is_stopped() {
                break;
            }
            if best.update(pick.mv, score) {
                self.stack.update_pv(pick.mv, ply);
            }
            if score >= window.beta {
                break;
            }
        }
        best
    }

    /// Returns the moves to search: all legal moves if `searches_evasions` is true, otherwise
    /// captures and promotions to a queen. Opponents capture only pieces of the root player.
    #[inline(always)]
    fn quiescence_moves(
        &mut self,
        position: &Position<V>,
        searches_evasions: bool,
        ply: usize,
    ) -> Vec<InternalMove> {
        if searches_evasions {
            return self.legal_moves(position, ply);
        }
        let player = position.turn_index();
        let targets = if player == self.root_player {
            position.occupied() & !position.owned(player)
        } else {
            position.owned(self.root_player)
        };
        let mut moves = self.legal_moves_to(position, targets, ply);
        moves.retain(|mv| match mv.kind {
            MoveKind::Castling(_) => false,
            MoveKind::Promotion(role) => role == Role::Queen,
            _ => true,
        });
        moves
    }
}

/// Returns true if a move is pruned: a quiet move after the first few evasions, or a capture that
/// loses material or cannot raise alpha (delta pruning).
#[inline(always)]
fn skip_capture<V: Evaluate>(
    position: &Position<V>,
    node: &QuiescenceNode,
    best: &BestMove,
    pick: Pick,
) -> bool {
    if node.searches_evasions && best.score <= -FORCED_WIN {
        return false;
    }
    if pick.is_quiet && (!node.searches_evasions || pick.index >= QUIET_EVASION_LIMIT) {
        return true;
    }
    if node.searches_evasions {
        return false;
    }
    let captured = position.role_at(pick.mv.to).map_or(EN_PASSANT_GAIN, piece_value);
    let promotion = if is_promotion(pick.mv) { PROMOTION_GAIN } else { 0 };
    node.stand_pat + captured + promotion + DELTA_MARGIN <= best.alpha
        || !static_exchange::gains_at_least(position, pick.mv, 0)
}
