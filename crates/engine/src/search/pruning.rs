//! Forward pruning: nodes that need no search, and moves that are skipped.

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{InternalMove, reach};
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, VariantRules};

use super::alpha_beta::{Best, Node};
use super::move_picker::{GOOD_CAPTURE, Pick};
use super::parameters::{
    FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, LATE_MOVE_BASE, LATE_MOVE_LEAST, MOVE_PRUNING_DEPTH,
    NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_LEAD_DIVISOR, NULL_MOVE_LEAD_LIMIT,
    NULL_MOVE_REDUCTION, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, SEE_DEPTH, SEE_MARGIN,
};
use super::score::FORCED;
use super::static_exchange;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::Evaluate;

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a node that needs no search, since the side to move stands well enough
    /// as it is (reverse futility pruning) or even after passing (null-move pruning).
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

    /// Returns the score after passing if it is still at least `beta`.
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
        self.stack[ply].made = None;
        let lead = ((static_eval - beta) / NULL_MOVE_LEAD_DIVISOR).min(NULL_MOVE_LEAD_LIMIT);
        let reduced = depth - NULL_MOVE_REDUCTION - depth / NULL_MOVE_DEPTH_DIVISOR - lead;
        self.keys.push(hash);
        let score = self.child_score(position, &next, Window::null(beta - 1), |worker, window| {
            worker.alpha_beta(&next, window, reduced, ply + 1)
        });
        self.keys.pop();
        if self.is_stopped() {
            return Some(beta);
        }
        // A mate found after a null move is not proven.
        (score >= beta).then_some(if score >= FORCED { beta } else { score })
    }

    /// Returns whether a move is skipped, because it is hardly good or no opponent would make it.
    #[inline(always)]
    pub(super) fn skip_move(
        &self,
        position: &Position<V>,
        node: &Node,
        best: &Best,
        pick: Pick,
        pruning: &mut MovePruning<V>,
    ) -> bool {
        if node.in_check || best.score <= -FORCED {
            return false;
        }
        // Nothing is pruned while a mate is known and a shorter one searched for.
        let may_prune = node.window.is_null() && best.alpha < FORCED && node.depth <= MOVE_PRUNING_DEPTH;
        if may_prune && self.is_hardly_good(position, node, best, pick, pruning) {
            return true;
        }
        position.players_left() > 2 && self.sacrifices_for_others(position, pick.mv, pruning)
    }

    /// Late move pruning and futility pruning of quiet moves without check, and pruning of captures
    /// that lose material.
    #[inline(always)]
    fn is_hardly_good(
        &self,
        position: &Position<V>,
        node: &Node,
        best: &Best,
        pick: Pick,
        pruning: &mut MovePruning<V>,
    ) -> bool {
        let depth = node.depth;
        if !pick.is_quiet {
            return pick.rank < GOOD_CAPTURE
                && depth <= SEE_DEPTH
                && !static_exchange::gains(position, pick.mv, -SEE_MARGIN * depth);
        }
        let allowed = (LATE_MOVE_BASE + depth * depth) / if node.improving { 1 } else { 2 };
        let is_late = pruning.quiet_searched >= allowed.max(LATE_MOVE_LEAST) + V::COLORS.len() as i32;
        let is_futile = depth <= FUTILITY_DEPTH
            && node
                .static_eval
                .is_some_and(|eval| eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= best.alpha);
        (is_late || is_futile) && !self.gives_check(position, pick.mv, pruning)
    }

    /// Returns whether one of several opponents would lose material by a move from which only the
    /// others could gain.
    ///
    /// Such moves are skipped unless they may be part of a mate: they check, or go next to the root
    /// player's king. With all of them, no position would be safe, and the less so the deeper the
    /// search: 30,000 nodes a move were worth no more than 7,500.
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
            && !static_exchange::gains(position, mv, 0)
            && !self.gives_check(position, mv, pruning)
    }

    /// Returns whether the moved piece itself will check the player it plays against.
    #[inline(always)]
    fn gives_check(&self, position: &Position<V>, mv: InternalMove, pruning: &mut MovePruning<V>) -> bool {
        pruning.checking.get_or_insert_with(|| self.checking_cells(position)).has(mv)
    }

    /// Returns the cells from which pieces of the player to move would check the player it plays
    /// against: the root player, or the next opponent.
    fn checking_cells(&self, position: &Position<V>) -> CheckingCells<V> {
        let players = V::COLORS.len();
        let turn = position.turn_index();
        let against = if turn == self.root_player {
            (1..players).map(|step| (turn + step) % players).find(|&player| position.is_in(player))
        } else {
            Some(self.root_player)
        };
        let king = position.king(against.unwrap_or(self.root_player));
        let [knight, bishop, rook] =
            [Role::Knight, Role::Bishop, Role::Rook].map(|role| reach::<V>(role, king, position.occupied()));
        CheckingCells { knight, bishop, rook }
    }
}

/// Returns whether the player to move has a piece besides king and pawns; without one zugzwang is
/// likely.
fn has_pieces<V: VariantRules>(position: &Position<V>) -> bool {
    let pieces = !(position.role(Role::Pawn) | position.role(Role::King));
    !(position.owned(position.turn_index()) & pieces).is_empty()
}

/// The state of pruning while the moves of one node are searched.
pub(super) struct MovePruning<V: VariantRules> {
    /// The number of quiet moves searched so far.
    pub(super) quiet_searched: i32,
    /// Computed when it is first asked for.
    checking: Option<CheckingCells<V>>,
}

impl<V: VariantRules> Default for MovePruning<V> {
    fn default() -> Self {
        Self { quiet_searched: 0, checking: None }
    }
}

/// The cells from which pieces check a king at once. Discovered checks and pawns are ignored.
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
