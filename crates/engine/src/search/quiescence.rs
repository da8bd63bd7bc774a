//! Quiescence search: captures are followed until the position is quiet, since one in the midst of
//! an exchange cannot be evaluated.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, MoveKind};
use quadrex_rules::{Position, Role};

use super::alpha_beta::Best;
use super::move_picker::{MovePicker, Pick, is_promotion};
use super::parameters::{
    DELTA_MARGIN, EN_PASSANT_GAIN, EVASION_PLIES, MAX_PLY, PROMOTION_GAIN, QUIET_EVASIONS,
};
use super::score::{FORCED, INFINITY, from_root};
use super::static_exchange;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::{Evaluate, piece_value};
use crate::transposition::{Bound, Entry, MoveKey};

/// A node of the quiescence search.
#[derive(Clone, Copy)]
struct QuietNode {
    window: Window,
    /// Plies of quiescence search before this one.
    depth: i32,
    ply: usize,
    /// True if every evasion of a check is searched, and the player may not stand pat.
    evades: bool,
    /// The score of capturing nothing.
    stand_pat: i32,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a position in which captures alone are searched, after `depth` plies of
    /// this search: the side to move captures or stands pat.
    pub(super) fn quiescence(
        &mut self,
        position: &Position<V>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        self.stack[ply].pv.clear();
        self.counter.add(self.shared);
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
        let me = position.turn_index();
        let in_check = !position.checkers(me).is_empty();
        // A bare king is often stalemated, and a stalemate must not be evaluated statically.
        if !in_check && !position.owned(me).has_two() && !position.has_legal_move() {
            return self.draw_score(position);
        }
        let evades = in_check && depth < EVASION_PLIES;
        let stand_pat = if evades { -INFINITY } else { self.static_eval(position) };
        if stand_pat >= window.beta {
            return stand_pat;
        }
        let moves = self.quiescence_moves(position, evades, ply);
        if evades && moves.is_empty() {
            self.stack[ply].moves = moves;
            return self.score_without_moves(position, true, ply, window, |worker, next, window| {
                worker.quiescence(next, window, depth + 1, ply)
            });
        }
        let table_move = entry.map_or(MoveKey::NONE, |entry| entry.mv);
        let mut picker = self.picker(position, moves, table_move, ply);
        let best =
            self.search_captures(position, QuietNode { window, depth, ply, evades, stand_pat }, &mut picker);
        self.recycle(picker, ply);
        if !self.is_stopped() {
            let bound = if best.score >= window.beta { Bound::Lower } else { Bound::Upper };
            let score = from_root(best.score, ply);
            self.table.put(key, Entry { mv: best.key(), score, depth: 0, bound });
        }
        best.score
    }

    #[inline(always)]
    fn search_captures(&mut self, position: &Position<V>, node: QuietNode, picker: &mut MovePicker) -> Best {
        let QuietNode { window, depth, ply, stand_pat, .. } = node;
        let mut best = Best { score: stand_pat, ..Best::new(window.alpha.max(stand_pat)) };
        while let Some(pick) = picker.next(position) {
            if skip_capture(position, &node, &best, pick) {
                continue;
            }
            let mut next = *position;
            next.make_internal(pick.mv);
            self.stack[ply].made = Some(pick.mv);
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

    /// Returns the moves that are searched: all evasions of a check; otherwise captures and
    /// promotions to a queen. Opponents capture only from the root player.
    #[inline(always)]
    fn quiescence_moves(&mut self, position: &Position<V>, evades: bool, ply: usize) -> Vec<InternalMove> {
        if evades {
            return self.legal_moves(position, ply);
        }
        let me = position.turn_index();
        let targets = if me == self.root_player {
            position.occupied() & !position.owned(me)
        } else {
            position.owned(self.root_player)
        };
        let mut moves = self.moves_within(position, targets, ply);
        moves.retain(|mv| match mv.kind {
            MoveKind::Castling(_) => false,
            MoveKind::Promotion(role) => role == Role::Queen,
            _ => true,
        });
        moves
    }
}

/// Returns whether a move is pruned: quiet ones beyond the first evasions, captures that lose
/// material or cannot raise alpha (delta pruning).
#[inline(always)]
fn skip_capture<V: Evaluate>(position: &Position<V>, node: &QuietNode, best: &Best, pick: Pick) -> bool {
    if node.evades && best.score <= -FORCED {
        return false;
    }
    if pick.is_quiet && (!node.evades || pick.index >= QUIET_EVASIONS) {
        return true;
    }
    if node.evades {
        return false;
    }
    let captured = position.role_at(pick.mv.to).map_or(EN_PASSANT_GAIN, piece_value);
    let promotion = if is_promotion(pick.mv) { PROMOTION_GAIN } else { 0 };
    node.stand_pat + captured + promotion + DELTA_MARGIN <= best.alpha
        || !static_exchange::gains(position, pick.mv, 0)
}
