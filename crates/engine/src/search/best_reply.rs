//! Best-reply search: between two moves of the one who asks only one opponent moves, the one whose reply is worst for
//! it; the others pass (Schadd and Winands, "Best reply search for multiplayer games", 2011).

use quadrex_rules::Position;
use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::PlacedMove;

use super::score::{INFINITY, from_root};
use super::{Best, Window, Worker, order};
use crate::evaluation::Valued;
use crate::table::{Entry, MoveKey};

/// Who is to move when those before it pass, and what it may do.
struct Reply<V: Valued> {
    from: Position<V>,
    mv: PlacedMove,
    rank: i32,
}

impl<V: Valued> Worker<'_, V> {
    /// The score, for the opponents, of a position in which one of them moves. Whoever is mated on the way goes out.
    pub(super) fn best_reply(
        &mut self,
        position: &Position<V>,
        hash: u64,
        known_move: MoveKey,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let mut at = *position;
        let mut replies: Vec<Reply<V>> = Vec::new();
        while at.turn_index() != self.me && at.is_in(self.me) && at.players_left() > 1 {
            let moves = self.generate(&at, ply);
            let turn = at.turn_index();
            if moves.is_empty() && !at.checkers(turn).is_empty() {
                at.put_out(turn);
                replies.iter_mut().for_each(|reply| reply.from.put_out(turn));
            } else {
                let mut ranks = std::mem::take(&mut self.frames[ply].ranks);
                self.rank(&at, &moves, &mut ranks, MoveKey::NONE, ply);
                replies.extend(moves.iter().zip(&ranks).map(|(&mv, &rank)| Reply { from: at, mv, rank }));
                self.frames[ply].ranks = ranks;
                at.pass();
            }
            self.frames[ply].moves = moves;
        }
        if replies.is_empty() {
            return self.follow(position, &at, window, |worker, window| {
                worker.look(&at, window, depth - 1, ply + 1)
            });
        }
        for reply in &mut replies {
            if MoveKey::from(reply.mv) == known_move {
                reply.rank = i32::MAX;
            }
        }
        replies.sort_by_key(|reply| std::cmp::Reverse(reply.rank));
        self.keys.push(hash);
        let mut best = Best::new(window.alpha);
        for (index, reply) in replies.iter().enumerate() {
            let is_quiet = order::is_quiet(&reply.from, reply.mv);
            if index as i32 > 6 + 4 * depth * depth && is_quiet && best.score > -INFINITY {
                continue;
            }
            let mut next = reply.from;
            next.make_placed(reply.mv);
            while next.turn_index() != self.me && next.players_left() > 1 && next.is_in(self.me) {
                let turn = next.turn_index();
                if !next.checkers(turn).is_empty() && !next.has_legal_move() {
                    next.put_out(turn);
                } else {
                    next.pass();
                }
            }
            self.frames[ply].made = Some(reply.mv);
            let mut reduction = 0;
            if index > 0 && depth >= 3 && is_quiet {
                reduction = order::reduction(depth, index).clamp(0, depth - 2);
            }
            let mut score = -INFINITY;
            if index > 0 {
                score = self.follow(position, &next, Window::just_above(best.alpha), |worker, window| {
                    worker.look(&next, window, depth - 1 - reduction, ply + 1)
                });
            }
            if index == 0 || score > best.alpha {
                score =
                    self.follow(position, &next, Window::new(best.alpha, window.beta), |worker, window| {
                        worker.look(&next, window, depth - 1, ply + 1)
                    });
            }
            if self.is_broken_off() {
                break;
            }
            if best.takes(reply.mv, score) {
                self.take_line(reply.mv, ply);
            }
            if score >= window.beta {
                if is_quiet {
                    self.reward(&reply.from, &[reply.mv], depth, ply);
                }
                break;
            }
        }
        self.keys.pop();
        if !self.is_broken_off() {
            let bound = window.bound(best.score);
            let entry = Entry { mv: best.key(), score: from_root(best.score, ply), depth, bound };
            self.table.put(hash ^ self.salt, entry);
        }
        best.score
    }
}
