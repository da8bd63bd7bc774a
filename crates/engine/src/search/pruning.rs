//! Forward pruning: nodes that need no search, and moves that are skipped.

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{InternalMove, reach};
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, VariantRules};

use super::alpha_beta::{BestMove, Node};
use super::move_picker::{GOOD_CAPTURE_ORDER_SCORE, Pick};
use super::parameters::{
    FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, LATE_MOVE_BASE, LATE_MOVE_MINIMUM, MOVE_PRUNING_DEPTH,
    NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_LEAD_DIVISOR, NULL_MOVE_LEAD_LIMIT,
    NULL_MOVE_REDUCTION, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, SEE_DEPTH, SEE_MARGIN,
};
use super::score::FORCED_WIN;
use super::static_exchange;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::Evaluate;

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a node that need not be searched, or `None` if the node must be
    /// searched. There are two such cases. In reverse futility pruning, the static evaluation
    /// exceeds beta by a margin. In null-move pruning, the score exceeds beta even after the side
    /// to move passes its turn.
    #[inline(always)]
    pub(super) fn prune_node(
        &mut self,
        position: &Position<V>,
        hash: u64,
        window: Window,
        depth: i32,
        ply: usize,
        static_eval: i32,
    ) -> Option<i32> {
        let beta = window.beta;
        let margin = REVERSE_FUTILITY_MARGIN[usize::from(V::COLORS.len() > 2)];
        if depth <= REVERSE_FUTILITY_DEPTH && static_eval - margin * depth >= beta {
            return Some(static_eval);
        }
        if depth >= NULL_MOVE_DEPTH
            && static_eval >= beta
            && has_pieces(position)
            && self.stack.previous_move(ply).is_some()
        {
            return self.null_move_score(position, hash, beta, depth, ply, static_eval);
        }
        None
    }

    /// Returns the score after the side to move passes its turn, if this score is at least `beta`.
    fn null_move_score(
        &mut self,
        position: &Position<V>,
        hash: u64,
        beta: i32,
        depth: i32,
        ply: usize,
        static_eval: i32,
    ) -> Option<i32> {
        let mut next = *position;
        next.pass();
        self.stack[ply].current_move = None;
        let lead = ((static_eval - beta) / NULL_MOVE_LEAD_DIVISOR).min(NULL_MOVE_LEAD_LIMIT);
        let reduced_depth = depth - NULL_MOVE_REDUCTION - depth / NULL_MOVE_DEPTH_DIVISOR - lead;
        self.earlier_hashes.push(hash);
        let score = self.child_score(position, &next, Window::null(beta - 1), |worker, window| {
            worker.alpha_beta(&next, window, reduced_depth, ply + 1)
        });
        self.earlier_hashes.pop();
        if self.is_stopped() {
            return Some(beta);
        }
        // A mate found after a null move is not proven.
        (score >= beta).then_some(if score >= FORCED_WIN { beta } else { score })
    }

    /// Returns true if a move is skipped: a move that is unlikely to be good, or that no opponent
    /// would play.
    #[inline(always)]
    pub(super) fn skip_move(
        &self,
        position: &Position<V>,
        node: &Node,
        best: &BestMove,
        pick: Pick,
        pruning: &mut MovePruning<V>,
    ) -> bool {
        if node.in_check || best.score <= -FORCED_WIN {
            return false;
        }
        // Nothing is pruned while a mate is known and a shorter mate is searched for.
        let may_prune = node.window.is_null() && best.alpha < FORCED_WIN && node.depth <= MOVE_PRUNING_DEPTH;
        if may_prune && self.is_prunable(position, node, best, pick, pruning) {
            return true;
        }
        position.players_left() > 2 && self.sacrifices_for_others(position, pick.mv, pruning)
    }

    /// Returns true if a move is unlikely to be good: a capture that loses material, or a quiet
    /// move without check that is late in the order or far below alpha.
    #[inline(always)]
    fn is_prunable(
        &self,
        position: &Position<V>,
        node: &Node,
        best: &BestMove,
        pick: Pick,
        pruning: &mut MovePruning<V>,
    ) -> bool {
        let depth = node.depth;
        if !pick.is_quiet {
            return pick.order_score < GOOD_CAPTURE_ORDER_SCORE
                && depth <= SEE_DEPTH
                && !static_exchange::gains_at_least(position, pick.mv, -SEE_MARGIN * depth);
        }
        let quiet_move_limit = (LATE_MOVE_BASE + depth * depth) / if node.improving { 1 } else { 2 };
        let is_late =
            pruning.quiet_searched >= quiet_move_limit.max(LATE_MOVE_MINIMUM) + V::COLORS.len() as i32;
        let is_futile = depth <= FUTILITY_DEPTH
            && node
                .static_eval
                .is_some_and(|eval| eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= best.alpha);
        (is_late || is_futile) && !self.gives_check(position, pick.mv, pruning)
    }

    /// Returns true if an opponent would sacrifice material with this move for the benefit of other
    /// opponents.
    ///
    /// Such moves are unrealistic and are skipped. Checks and moves next to the root player's king
    /// are searched, since they may be part of a mate. When all sacrifices were searched, every
    /// position looked lost at great depth, and the engine played no better with 30,000 nodes a
    /// move than with 7,500.
    #[inline(always)]
    fn sacrifices_for_others(
        &self,
        position: &Position<V>,
        mv: InternalMove,
        pruning: &mut MovePruning<V>,
    ) -> bool {
        let king_ring = V::Geometry::TABLES.king[usize::from(position.king(self.root_player))];
        !self.is_root_player(position)
            && !king_ring.has(mv.to)
            && !static_exchange::gains_at_least(position, mv, 0)
            && !self.gives_check(position, mv, pruning)
    }

    /// Returns true if the moved piece itself checks the king that [`Self::checking_cells`] is
    /// about.
    #[inline(always)]
    fn gives_check(&self, position: &Position<V>, mv: InternalMove, pruning: &mut MovePruning<V>) -> bool {
        pruning.checking_cells.get_or_insert_with(|| self.checking_cells(position)).has(mv)
    }

    /// Returns the cells from which a piece would give check to an opponent of the player to move:
    /// to the root player or, if the root player is to move, to the next opponent.
    fn checking_cells(&self, position: &Position<V>) -> CheckingCells<V> {
        let players = V::COLORS.len();
        let turn = position.turn_index();
        let checked_player = if turn == self.root_player {
            (1..players).map(|step| (turn + step) % players).find(|&player| position.is_playing(player))
        } else {
            Some(self.root_player)
        };
        let king = position.king(checked_player.unwrap_or(self.root_player));
        let [knight, bishop, rook] =
            [Role::Knight, Role::Bishop, Role::Rook].map(|role| reach::<V>(role, king, position.occupied()));
        CheckingCells { knight, bishop, rook }
    }
}

/// Returns true if the player to move has a piece besides king and pawns. Without such a piece
/// zugzwang is likely, so a good score after a null move proves nothing.
fn has_pieces<V: VariantRules>(position: &Position<V>) -> bool {
    let pieces = !(position.role(Role::Pawn) | position.role(Role::King));
    !(position.owned(position.turn_index()) & pieces).is_empty()
}

/// The state of pruning while the moves of one node are searched.
pub(super) struct MovePruning<V: VariantRules> {
    /// The number of quiet moves searched so far.
    pub(super) quiet_searched: i32,
    /// The result of [`Worker::checking_cells`], once it is needed.
    checking_cells: Option<CheckingCells<V>>,
}

impl<V: VariantRules> Default for MovePruning<V> {
    fn default() -> Self {
        Self { quiet_searched: 0, checking_cells: None }
    }
}

/// The cells from which each kind of piece would check a king. A queen checks from the cells of
/// both bishop and rook. Discovered checks and pawns are ignored.
struct CheckingCells<V: VariantRules> {
    knight: BitsOf<V>,
    bishop: BitsOf<V>,
    rook: BitsOf<V>,
}

impl<V: VariantRules> CheckingCells<V> {
    fn has(&self, mv: InternalMove) -> bool {
        match mv.kind.role() {
            Role::Knight => self.knight.has(mv.to),
            Role::Bishop => self.bishop.has(mv.to),
            Role::Rook => self.rook.has(mv.to),
            Role::Queen => self.bishop.has(mv.to) || self.rook.has(mv.to),
            Role::Pawn | Role::King => false,
        }
    }
}
