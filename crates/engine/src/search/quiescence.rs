//! Following captures until the board is calm, since a position in the midst of an exchange cannot be valued.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{Deed, PlacedMove};
use quadrex_rules::{Position, Role};

use super::score::{FORCED, INFINITY, from_root};
use super::{Best, MOST_PLIES, Window, Worker, exchange, is_promotion, order};
use crate::evaluation::{Valued, piece_value};
use crate::table::{Bound, Entry, MoveKey};

/// Plies into the captures in which every way out of check is looked at.
const EVASIONS: i32 = 3;

/// What a capture may gain beyond the piece that is taken.
const SLACK: i32 = 160;

impl<V: Valued> Worker<'_, V> {
    /// The score of a position when captures alone are followed, `deep` plies into them: the side to move takes, or
    /// is content with what it has.
    pub(super) fn calm(&mut self, position: &Position<V>, window: Window, deep: i32, ply: usize) -> i32 {
        self.frames[ply].best_line.clear();
        self.count.add(self.control);
        self.selective_depth = self.selective_depth.max(ply);
        if self.is_broken_off() || ply >= MOST_PLIES {
            return self.worth(position);
        }
        if deep > 0
            && let Some(score) = self.settled(position, ply)
        {
            return score;
        }
        let key = position.hash() ^ self.salt;
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|known| window.settled_by(known, ply)) {
            return score;
        }
        let me = position.turn_index();
        let in_check = !position.checkers(me).is_empty();
        // A bare king is soon stalemated, which is no calm position at all.
        if !in_check && !position.owned(me).has_two() && !position.has_legal_move() {
            return self.draw(position);
        }
        let evades = in_check && deep < EVASIONS;
        let stands = if evades { -INFINITY } else { self.worth(position) };
        if stands >= window.beta {
            return stands;
        }
        let mut best = Best { score: stands, ..Best::new(window.alpha.max(stands)) };
        let mut moves = self.candidates(position, evades, ply);
        if evades && moves.is_empty() {
            self.frames[ply].moves = moves;
            return self.stuck(position, true, ply, window, |worker, next, window| {
                worker.calm(next, window, deep + 1, ply)
            });
        }
        let mut ranks = std::mem::take(&mut self.frames[ply].ranks);
        self.rank(position, &moves, &mut ranks, known.map_or(MoveKey::NONE, |known| known.mv), ply);
        for index in 0..moves.len() {
            order::bring_best(&mut moves, &mut ranks, index);
            let mv = moves[index];
            if !evades || best.score > -FORCED {
                if order::is_quiet(position, mv) && (!evades || index > 2) {
                    continue;
                }
                if !evades {
                    let taken = position.role_at(mv.to).map_or(100, piece_value);
                    let promoted = if is_promotion(mv) { 800 } else { 0 };
                    if stands + taken + promoted + SLACK <= best.alpha || !exchange::gains(position, mv, 0) {
                        continue;
                    }
                }
            }
            let mut next = *position;
            next.make_placed(mv);
            self.frames[ply].made = Some(mv);
            let score =
                self.follow(position, &next, Window::new(best.alpha, window.beta), |worker, window| {
                    worker.calm(&next, window, deep + 1, ply + 1)
                });
            if self.is_broken_off() {
                break;
            }
            if best.takes(mv, score) {
                self.take_line(mv, ply);
            }
            if score >= window.beta {
                break;
            }
        }
        self.frames[ply].moves = moves;
        self.frames[ply].ranks = ranks;
        if !self.is_broken_off() {
            let bound = if best.score >= window.beta { Bound::Lower } else { Bound::Upper };
            let score = from_root(best.score, ply);
            self.table.put(key, Entry { mv: best.key(), score, depth: 0, bound });
        }
        best.score
    }

    /// The moves that are followed: all that end a check; otherwise captures, of opponents only those from the one
    /// who asks, and promotions to a queen.
    fn candidates(&mut self, position: &Position<V>, evades: bool, ply: usize) -> Vec<PlacedMove> {
        if evades {
            return self.generate(position, ply);
        }
        self.list.moves = std::mem::take(&mut self.frames[ply].moves);
        self.list.moves.clear();
        let me = position.turn_index();
        self.list.within =
            if me == self.me { position.occupied() & !position.owned(me) } else { position.owned(self.me) };
        position.generate(&mut self.list);
        let mut moves = std::mem::take(&mut self.list.moves);
        moves.retain(|mv| match mv.deed {
            Deed::Castling(_) => false,
            Deed::Promotion(role) => role == Role::Queen,
            _ => true,
        });
        moves
    }
}
