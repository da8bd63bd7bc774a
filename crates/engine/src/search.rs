//! Looking ahead: every opponent is taken to play against us.

use core::cmp::Reverse;

use quadrex_rules::{AnyPosition, Color, Move};

use crate::evaluation::{WIN, evaluate, settled, value};

/// How many plies of captures are followed beyond the full depth.
const CAPTURES: i32 = 3;

/// One player's look at a position.
pub(crate) struct Search<'a> {
    root: &'a AnyPosition,
    me: Color,
    nodes: u64,
    most_nodes: u64,
}

/// The nodes are used up.
struct Spent;

impl<'a> Search<'a> {
    pub(crate) fn new(root: &'a AnyPosition, most_nodes: u64) -> Self {
        Self { root, me: root.turn(), nodes: 0, most_nodes }
    }

    /// Looks one ply deeper each time, the best move of the last look first. Ends early at a forced win.
    pub(crate) fn deepen(mut self, moves: &[Move], depth: u32) -> Option<Move> {
        let mut moves = moves.to_vec();
        order(self.root, &mut moves);
        for depth in 1..=i32::try_from(depth.max(1)).unwrap_or(i32::MAX) {
            let Ok(found) = self.best(&moves, depth) else { break };
            let (index, score) = found?;
            let best = moves.remove(index);
            moves.insert(0, best);
            if score.abs() >= WIN - depth || self.nodes >= self.most_nodes {
                break;
            }
        }
        moves.first().copied()
    }

    /// The place of the best move in the list and its score; `None` without moves.
    fn best(&mut self, moves: &[Move], depth: i32) -> Result<Option<(usize, i32)>, Spent> {
        let mut best: Option<(usize, i32)> = None;
        for (index, &mv) in moves.iter().enumerate() {
            let alpha = best.map_or(-i32::MAX, |(_, score)| score);
            let mut next = self.root.clone();
            next.play(mv);
            let score = self.look(&next, depth - 1, 1, (alpha, i32::MAX), depth == 1)?;
            if score > alpha {
                best = Some((index, score));
            }
        }
        Ok(best)
    }

    /// The worth of a position to us, as far as it lies between `window`'s ends.
    fn look(
        &mut self,
        position: &AnyPosition,
        depth: i32,
        ply: i32,
        window: (i32, i32),
        finishes: bool,
    ) -> Result<i32, Spent> {
        self.nodes += 1;
        if self.nodes > self.most_nodes && !finishes {
            return Err(Spent);
        }
        let mut moves = position.legal_moves();
        if let Some(score) = settled(position, !moves.is_empty(), self.me, ply) {
            return Ok(score);
        }
        let is_ours = position.turn() == self.me;
        let (mut alpha, mut beta) = window;
        let mut best = if is_ours { -i32::MAX } else { i32::MAX };
        if depth <= 0 {
            best = evaluate(position, moves.len(), self.me);
            moves.retain(|mv| position.piece_at(mv.to).is_some());
            if depth <= -CAPTURES {
                return Ok(best);
            }
        }
        order(position, &mut moves);
        for mv in moves {
            if is_ours {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
            let mut next = position.clone();
            next.play(mv);
            let score = self.look(&next, depth - 1, ply + 1, (alpha, beta), finishes)?;
            best = if is_ours { best.max(score) } else { best.min(score) };
        }
        Ok(best)
    }
}

/// Puts captures of dear pieces first and leaves the rest in their order.
fn order(position: &AnyPosition, moves: &mut [Move]) {
    moves.sort_by_key(|mv| Reverse(position.piece_at(mv.to).map_or(0, |piece| value(piece.role))));
}
