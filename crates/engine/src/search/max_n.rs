//! Max^n search: every player makes the move that is best for itself (Luckhardt and Irani, "An
//! algorithmic solution of n-person games", 1986).

use quadrex_rules::Position;
use quadrex_rules::bits::Bits;

use super::move_picker::MovePicker;
use super::parameters::{MAX_N_CAPTURE_PLIES, MAX_PLY};
use super::score::WIN;
use super::static_exchange;
use super::worker::Worker;
use crate::evaluation::{Evaluate, evaluate_each, even_score};
use crate::transposition::MoveKey;

/// The scores of all players, by their index in the turn order.
type Scores = [i32; 4];

impl<V: Evaluate> Worker<'_, V> {
    /// Returns the score of a position for each player, searched `depth` plies deep. Captures are
    /// searched a few plies deeper.
    pub(super) fn max_n(&mut self, position: &Position<V>, depth: i32, ply: usize) -> Scores {
        self.stack[ply].pv.clear();
        self.node_counter.count_node(self.shared);
        let hash = position.hash();
        if position.players_left() == 1 {
            let mut scores = [ply as i32 - WIN; 4];
            scores[position.turn_index()] = WIN - ply as i32;
            return scores;
        }
        if self.is_drawn(position, hash) {
            return Self::draw_scores(position);
        }
        let static_eval = evaluate_each(position).map(|eval| eval.unwrap_or(-WIN));
        if self.is_stopped() || ply >= MAX_PLY || depth <= -MAX_N_CAPTURE_PLIES {
            return static_eval;
        }
        let moves = self.legal_moves(position, ply);
        let player = position.turn_index();
        if moves.is_empty() {
            self.stack[ply].moves = moves;
            if position.checkers(player).is_empty() {
                return Self::draw_scores(position);
            }
            let mut next = *position;
            next.eliminate(player);
            let mut scores = self.max_n(&next, depth, ply + 1);
            scores[player] = ply as i32 - WIN;
            return scores;
        }
        let mut picker = self.picker(position, moves, MoveKey::NONE, ply);
        self.earlier_hashes.push(hash);
        let stand_pat = (depth <= 0).then_some(static_eval);
        let best = self.best_for_mover(position, &mut picker, stand_pat, depth, ply);
        self.earlier_hashes.pop();
        self.recycle(picker, ply);
        best.unwrap_or(static_eval)
    }

    /// Returns the scores after the best move of the player to move. `stand_pat` contains the
    /// scores of making no move. If it is given, only captures that lose no material are searched.
    fn best_for_mover(
        &mut self,
        position: &Position<V>,
        picker: &mut MovePicker,
        stand_pat: Option<Scores>,
        depth: i32,
        ply: usize,
    ) -> Option<Scores> {
        let player = position.turn_index();
        let mut best = stand_pat;
        while let Some(pick) = picker.next(position) {
            if stand_pat.is_some()
                && (pick.is_quiet || !static_exchange::gains_at_least(position, pick.mv, 0))
            {
                continue;
            }
            let mut next = *position;
            next.make_internal(pick.mv);
            self.stack[ply].current_move = Some(pick.mv);
            let scores = self.max_n(&next, depth - 1, ply + 1);
            if self.is_stopped() {
                break;
            }
            if best.is_none_or(|best| scores[player] > best[player]) {
                best = Some(scores);
                self.stack.update_pv(pick.mv, ply);
            }
            // No score is better than an immediate win.
            if scores[player] >= WIN - ply as i32 - 1 {
                break;
            }
        }
        best
    }

    /// Returns the scores of a draw: the score of an even position for each player left (rule D12),
    /// and the score of a loss for each eliminated player.
    fn draw_scores(position: &Position<V>) -> Scores {
        let even = even_score(position.players_left() as usize);
        core::array::from_fn(|player| {
            if player < V::COLORS.len() && position.is_playing(player) { even } else { -WIN }
        })
    }
}
