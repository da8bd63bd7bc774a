//! Each player for itself: everybody takes the move that is best for it (max^n; Luckhardt and Irani, "An algorithmic
//! solution of n-person games", 1986).

use quadrex_rules::Position;
use quadrex_rules::bits::Bits;

use super::score::WIN;
use super::{MOST_PLIES, Worker, exchange, order};
use crate::evaluation::{Valued, even_odds, worth_to_each};
use crate::table::MoveKey;

impl<V: Valued> Worker<'_, V> {
    /// What a position leads to for each player, looked at `depth` plies ahead, and captures beyond.
    pub(super) fn each_for_itself(&mut self, position: &Position<V>, depth: i32, ply: usize) -> [i32; 4] {
        self.frames[ply].best_line.clear();
        self.count.add(self.control);
        let hash = position.hash();
        if position.players_left() == 1 {
            let mut scores = [ply as i32 - WIN; 4];
            scores[position.turn_index()] = WIN - ply as i32;
            return scores;
        }
        if self.is_drawn(position, hash) {
            return Self::shared(position);
        }
        let calm = depth <= 0;
        let stands = worth_to_each(position).map(|worth| worth.unwrap_or(-WIN));
        if self.is_broken_off() || ply >= MOST_PLIES || depth <= -4 {
            return stands;
        }
        let moves = self.generate(position, ply);
        let me = position.turn_index();
        if moves.is_empty() {
            self.frames[ply].moves = moves;
            if position.checkers(me).is_empty() {
                return Self::shared(position);
            }
            let mut next = *position;
            next.put_out(me);
            let mut scores = self.each_for_itself(&next, depth, ply + 1);
            scores[me] = ply as i32 - WIN;
            return scores;
        }
        let mut moves = moves;
        let mut ranks = std::mem::take(&mut self.frames[ply].ranks);
        self.rank(position, &moves, &mut ranks, MoveKey::NONE, ply);
        self.keys.push(hash);
        let mut best = calm.then_some(stands);
        for index in 0..moves.len() {
            order::bring_best(&mut moves, &mut ranks, index);
            let mv = moves[index];
            if calm && (order::is_quiet(position, mv) || !exchange::gains(position, mv, 0)) {
                continue;
            }
            let mut next = *position;
            next.make_placed(mv);
            self.frames[ply].made = Some(mv);
            let scores = self.each_for_itself(&next, depth - 1, ply + 1);
            if self.is_broken_off() {
                break;
            }
            if best.is_none_or(|best| scores[me] > best[me]) {
                best = Some(scores);
                self.take_line(mv, ply);
            }
            // Nobody can do better than win.
            if scores[me] >= WIN - ply as i32 - 1 {
                break;
            }
        }
        self.keys.pop();
        self.frames[ply].moves = moves;
        self.frames[ply].ranks = ranks;
        best.unwrap_or(stands)
    }

    /// A draw: for each who is in as much as an even position of so many (D12), for the others what they have lost.
    fn shared(position: &Position<V>) -> [i32; 4] {
        let shared = even_odds(position.players_left() as usize);
        core::array::from_fn(
            |player| {
                if player < V::COLORS.len() && position.is_in(player) { shared } else { -WIN }
            },
        )
    }
}
