//! Best-reply search for more than two players.
//!
//! Between two moves of the root player only one opponent moves, and the other opponents pass their
//! turns. The search chooses the opponent and the move that are worst for the root player (Schadd
//! and Winands, "Best reply search for multiplayer games", 2011).

use std::cmp::Reverse;

use quadrex_rules::Position;
use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::InternalMove;

use super::alpha_beta::BestMove;
use super::move_picker;
use super::parameters::{BEST_REPLY_BASE, BEST_REPLY_FACTOR, REDUCTION_DEPTH, late_move_reduction};
use super::score::{INFINITY, score_to_table};
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::Evaluate;
use crate::transposition::{Entry, MoveKey};

/// A move of one opponent.
struct Reply<V: Evaluate> {
    /// The position before the move. The opponents with earlier turns have passed them.
    position: Position<V>,
    mv: InternalMove,
    order_score: i32,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a position from the opponents' view. One opponent moves before the root
    /// player's turn. Mated opponents are eliminated.
    pub(super) fn best_reply(
        &mut self,
        position: &Position<V>,
        hash: u64,
        table_move: MoveKey,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let (replies, passed) = self.replies(position, table_move, ply);
        if replies.is_empty() {
            return self.child_score(position, &passed, window, |worker, window| {
                worker.alpha_beta(&passed, window, depth - 1, ply + 1)
            });
        }
        self.earlier_hashes.push(hash);
        let best = self.search_replies(position, &replies, window, depth, ply);
        self.earlier_hashes.pop();
        if !self.is_stopped() {
            let (score, bound) = (score_to_table(best.score, ply), window.bound(best.score));
            self.table.put(hash ^ self.key_salt, Entry { mv: best.key(), score, depth, bound });
        }
        best.score
    }

    /// Returns the moves of all opponents before the root player's turn, sorted by their order
    /// scores, and the position after all opponents have passed their turns.
    fn replies(
        &mut self,
        position: &Position<V>,
        table_move: MoveKey,
        ply: usize,
    ) -> (Vec<Reply<V>>, Position<V>) {
        let mut current = *position;
        let mut replies: Vec<Reply<V>> = Vec::new();
        while current.turn_index() != self.root_player
            && current.is_playing(self.root_player)
            && current.players_left() > 1
        {
            let moves = self.legal_moves(&current, ply);
            let turn = current.turn_index();
            if moves.is_empty() && !current.checkers(turn).is_empty() {
                current.eliminate(turn);
                replies.iter_mut().for_each(|reply| reply.position.eliminate(turn));
                self.stack[ply].moves = moves;
            } else {
                let picker = self.picker(&current, moves, MoveKey::NONE, ply);
                let ranked = picker.moves.iter().zip(&picker.order_scores);
                replies.extend(ranked.map(|(&mv, &order_score)| Reply {
                    position: current,
                    mv,
                    order_score,
                }));
                self.recycle(picker, ply);
                current.pass();
            }
        }
        for reply in &mut replies {
            if MoveKey::from(reply.mv) == table_move {
                reply.order_score = i32::MAX;
            }
        }
        replies.sort_by_key(|reply| Reverse(reply.order_score));
        (replies, current)
    }

    fn search_replies(
        &mut self,
        position: &Position<V>,
        replies: &[Reply<V>],
        window: Window,
        depth: i32,
        ply: usize,
    ) -> BestMove {
        let mut best = BestMove::new(window.alpha);
        for (index, reply) in replies.iter().enumerate() {
            let is_quiet = move_picker::is_quiet(&reply.position, reply.mv);
            let searched = BEST_REPLY_BASE + BEST_REPLY_FACTOR * depth * depth;
            if index as i32 > searched && is_quiet && best.score > -INFINITY {
                continue;
            }
            let next = self.after_reply(reply);
            self.stack[ply].current_move = Some(reply.mv);
            let reduction = if index > 0 && depth >= REDUCTION_DEPTH && is_quiet {
                late_move_reduction(depth, index).clamp(0, depth - 2)
            } else {
                0
            };
            let alpha = best.alpha;
            let mut search = |window, depth| {
                self.child_score(position, &next, window, |worker, window| {
                    worker.alpha_beta(&next, window, depth, ply + 1)
                })
            };
            let mut score = -INFINITY;
            if index > 0 {
                score = search(Window::null(alpha), depth - 1 - reduction);
            }
            if index == 0 || score > alpha {
                score = search(Window::new(alpha, window.beta), depth - 1);
            }
            if self.is_stopped() {
                break;
            }
            if best.update(reply.mv, score) {
                self.stack.update_pv(reply.mv, ply);
            }
            if score >= window.beta {
                if is_quiet {
                    self.reward_cutoff(&reply.position, &[reply.mv], depth, ply);
                }
                break;
            }
        }
        best
    }

    /// Returns the position after a reply, with the root player to move. The other opponents pass
    /// their turns, or are eliminated if they are mated.
    fn after_reply(&self, reply: &Reply<V>) -> Position<V> {
        let mut next = reply.position;
        next.make_internal(reply.mv);
        while next.turn_index() != self.root_player
            && next.players_left() > 1
            && next.is_playing(self.root_player)
        {
            let turn = next.turn_index();
            if !next.checkers(turn).is_empty() && !next.has_legal_move() {
                next.eliminate(turn);
            } else {
                next.pass();
            }
        }
        next
    }
}
