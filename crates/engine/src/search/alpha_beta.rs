//! The recursive search.

use quadrex_rules::Position;
use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::InternalMove;

use super::move_picker::{self, GOOD_CAPTURE_ORDER_SCORE, MovePicker, Pick};
use super::parameters::{
    HISTORY_BONUS_LIMIT, HISTORY_LINEAR, HISTORY_QUADRATIC, IIR_DEPTH, MAX_PLY, REDUCTION_DEPTH,
    REDUCTION_HISTORY_DIVISOR, REDUCTION_HISTORY_LIMIT, REDUCTION_INDEX, late_move_reduction,
};
use super::pruning::MovePruning;
use super::score::{FORCED_WIN, INFINITY, WIN, score_to_table};
use super::static_exchange;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::Evaluate;
use crate::request::Strategy;
use crate::transposition::{Entry, MoveKey};

/// A node whose moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) window: Window,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The static evaluation, unless in check.
    pub(super) static_eval: Option<i32>,
    /// True if the static evaluation has risen since the player's previous move.
    pub(super) improving: bool,
}

/// The best of the moves searched so far.
pub(super) struct BestMove {
    pub(super) score: i32,
    /// The lower bound of the window, raised by the moves searched so far.
    pub(super) alpha: i32,
    /// The move that last raised alpha.
    pub(super) mv: Option<InternalMove>,
}

impl BestMove {
    pub(super) const fn new(alpha: i32) -> Self {
        Self { score: -INFINITY, alpha, mv: None }
    }

    /// Adds the score of a move. Returns true if the score raised alpha.
    pub(super) fn update(&mut self, mv: InternalMove, score: i32) -> bool {
        self.score = self.score.max(score);
        let raises_alpha = score > self.alpha;
        if raises_alpha {
            self.alpha = score;
            self.mv = Some(mv);
        }
        raises_alpha
    }

    pub(super) fn key(&self) -> MoveKey {
        self.mv.map_or(MoveKey::NONE, MoveKey::from)
    }
}

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a position for the side to move, searched `depth` plies deep.
    pub(super) fn alpha_beta(
        &mut self,
        position: &Position<V>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        self.stack[ply].pv.clear();
        if let Some(score) = self.terminal_score(position, ply) {
            return score;
        }
        if self.strategy == Strategy::MaxN && V::COLORS.len() > 2 {
            let score = self.max_n(position, depth, ply)[self.root_player];
            return self.for_side_to_move(position, score);
        }
        let hash = position.hash();
        if self.is_drawn(position, hash) {
            return self.draw_score(position);
        }
        if depth <= 0 {
            return self.quiescence(position, window, 0, ply);
        }
        self.node_counter.count_node(self.shared);
        if self.is_stopped() || ply >= MAX_PLY {
            return self.static_eval(position);
        }
        self.selective_depth = self.selective_depth.max(ply);
        // Mate distance pruning: no mate below this node can be shorter than a mate already found.
        let alpha = window.alpha.max(ply as i32 - WIN);
        let beta = window.beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let window = Window::new(alpha, beta);

        let entry = self.table.get(hash ^ self.key_salt);
        if let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = window.cutoff(entry, ply)
        {
            return score;
        }
        let table_move = entry.map_or(MoveKey::NONE, |entry| entry.mv);

        let in_check = !position.checkers(position.turn_index()).is_empty();
        let static_eval = (!in_check).then(|| self.static_eval(position));
        self.stack[ply].static_eval = static_eval;
        if let Some(static_eval) = static_eval
            && window.is_null()
            && beta.abs() < FORCED_WIN
            && let Some(score) = self.prune_node(position, hash, window, depth, ply, static_eval)
        {
            return score;
        }
        let improving = V::COLORS.len() == 2
            && static_eval.is_some_and(|static_eval| self.stack.is_improving(ply, static_eval));
        let depth = if table_move == MoveKey::NONE && depth >= IIR_DEPTH { depth - 1 } else { depth };
        if self.strategy == Strategy::BestReply
            && !self.is_root_player(position)
            && position.players_left() > 2
        {
            return self.best_reply(position, hash, table_move, window, depth, ply);
        }
        self.search_node(
            position,
            hash,
            table_move,
            Node { window, depth, ply, in_check, static_eval, improving },
        )
    }

    /// Searches all moves of a node, stores the result in the transposition table, and returns the
    /// best score.
    #[inline(always)]
    fn search_node(&mut self, position: &Position<V>, hash: u64, table_move: MoveKey, node: Node) -> i32 {
        let Node { window, depth, ply, in_check, .. } = node;
        let moves = self.legal_moves(position, ply);
        if moves.is_empty() {
            self.stack[ply].moves = moves;
            return self.score_without_moves(position, in_check, ply, window, |worker, next, window| {
                worker.alpha_beta(next, window, depth, ply)
            });
        }
        let mut picker = self.picker(position, moves, table_move, ply);
        self.stack.clear_killers(ply + 1);
        self.earlier_hashes.push(hash);
        let best = self.search_moves(position, &node, &mut picker);
        self.earlier_hashes.pop();
        self.recycle(picker, ply);
        if !self.is_stopped() {
            let (score, bound) = (score_to_table(best.score, ply), window.bound(best.score));
            self.table.put(hash ^ self.key_salt, Entry { mv: best.key(), score, depth, bound });
        }
        best.score
    }

    /// Searches the moves of a node in the picker's order until a move causes a cutoff. Returns the
    /// best of the searched moves.
    #[inline(always)]
    fn search_moves(&mut self, position: &Position<V>, node: &Node, picker: &mut MovePicker) -> BestMove {
        let Node { window, ply, .. } = *node;
        let mut best = BestMove::new(window.alpha);
        let mut pruning = MovePruning::default();
        while let Some(pick) = picker.next(position) {
            if self.skip_move(position, node, &best, pick, &mut pruning) {
                continue;
            }
            let mut next = *position;
            next.make_internal(pick.mv);
            self.stack[ply].current_move = Some(pick.mv);
            let score = self.principal_variation_search(position, &next, node, best.alpha, pick);
            pruning.quiet_searched += i32::from(pick.is_quiet);
            if self.is_stopped() {
                return best;
            }
            if best.update(pick.mv, score) {
                self.stack.update_pv(pick.mv, ply);
            }
            if score >= window.beta {
                if pick.is_quiet {
                    self.reward_cutoff(position, picker.tried(), node.depth, ply);
                }
                break;
            }
        }
        best
    }

    /// Returns the score of a move. The first move of a node is searched with the full window. A
    /// later move is searched with a null window and a reduced depth, and searched again if its
    /// score exceeds alpha.
    #[inline(always)]
    fn principal_variation_search(
        &mut self,
        position: &Position<V>,
        next: &Position<V>,
        node: &Node,
        alpha: i32,
        pick: Pick,
    ) -> i32 {
        let Node { window, depth, ply, .. } = *node;
        let gives_check = next.is_playing(next.turn_index()) && !next.checkers(next.turn_index()).is_empty();
        let extension = i32::from(
            gives_check
                && (pick.order_score >= GOOD_CAPTURE_ORDER_SCORE
                    || static_exchange::gains_at_least(position, pick.mv, 0)),
        );
        let new_depth = depth - 1 + extension;
        let full_window = Window::new(alpha, window.beta);
        let mut search = |window, depth| {
            self.child_score(position, next, window, |worker, window| {
                worker.alpha_beta(next, window, depth, ply + 1)
            })
        };
        if pick.index == 0 {
            return search(full_window, new_depth);
        }
        let reduction = reduction(node, pick, new_depth);
        let mut score = search(Window::null(alpha), new_depth - reduction);
        if score > alpha && reduction > 0 {
            score = search(Window::null(alpha), new_depth);
        }
        if score > alpha && score < window.beta {
            score = search(full_window, new_depth);
        }
        score
    }

    /// Updates killers and history after the last move of `tried` has caused a cutoff. The history
    /// scores of the quiet moves before it are reduced.
    pub(super) fn reward_cutoff(
        &mut self,
        position: &Position<V>,
        tried: &[InternalMove],
        depth: i32,
        ply: usize,
    ) {
        let Some((&good, rest)) = tried.split_last() else { return };
        self.stack.add_killer(ply, MoveKey::from(good));
        let bonus = (HISTORY_QUADRATIC * depth * depth + HISTORY_LINEAR * depth).min(HISTORY_BONUS_LIMIT);
        let color = position.turn_index();
        let previous = self.previous_move(ply);
        self.history.update(color, previous, good, bonus);
        for &mv in rest {
            if move_picker::is_quiet(position, mv) {
                self.history.update(color, previous, mv, -bonus);
            }
        }
    }
}

/// Returns the number of plies by which a move's first search is reduced.
#[inline(always)]
fn reduction(node: &Node, pick: Pick, new_depth: i32) -> i32 {
    let is_late = node.depth >= REDUCTION_DEPTH && pick.index >= REDUCTION_INDEX;
    if !is_late || !pick.is_quiet && pick.order_score >= GOOD_CAPTURE_ORDER_SCORE {
        return 0;
    }
    let mut reduction = late_move_reduction(node.depth, pick.index);
    reduction += i32::from(node.window.is_null());
    reduction -= i32::from(node.improving) + i32::from(node.in_check);
    if pick.is_quiet {
        reduction -= (pick.order_score / REDUCTION_HISTORY_DIVISOR)
            .clamp(-REDUCTION_HISTORY_LIMIT, REDUCTION_HISTORY_LIMIT);
    }
    reduction.clamp(0, new_depth - 1).max(0)
}
