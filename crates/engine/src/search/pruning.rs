//! What need not be looked at: positions that are good enough as they stand, and moves that are hardly good or that nobody
//! would make.

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{PlacedMove, reach};
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, VariantRules};

use super::score::FORCED;
use super::{Best, Node, Window, Worker, exchange, order};
use crate::evaluation::Valued;

impl<V: Valued> Worker<'_, V> {
    /// What can be said without looking at moves: the side to move stands so well that it could even do nothing.
    pub(super) fn prune(
        &mut self,
        position: &Position<V>,
        hash: u64,
        window: Window,
        depth: i32,
        ply: usize,
        worth: i32,
    ) -> Option<i32> {
        let beta = window.beta;
        let margin = if V::COLORS.len() == 2 { 75 } else { 120 };
        if depth <= 7 && worth - margin * depth >= beta {
            return Some(worth);
        }
        let me = position.turn_index();
        let has_pieces =
            !(position.owned(me) & !(position.role(Role::Pawn) | position.role(Role::King))).is_empty();
        let may_pass = ply > 0 && self.frames[ply - 1].made.is_some();
        if depth >= 3 && worth >= beta && has_pieces && may_pass {
            let mut next = *position;
            next.pass();
            self.frames[ply].made = None;
            let reduced = depth - 3 - depth / 4 - ((worth - beta) / 200).min(3);
            self.keys.push(hash);
            let score = self.follow(position, &next, Window::just_above(beta - 1), |worker, window| {
                worker.look(&next, window, reduced, ply + 1)
            });
            self.keys.pop();
            if self.is_broken_off() {
                return Some(beta);
            }
            if score >= beta {
                return Some(if score >= FORCED { beta } else { score });
            }
        }
        None
    }

    /// Whether a move is not looked at: it is hardly good, or no opponent would make it.
    pub(super) fn passes_over(
        &self,
        position: &Position<V>,
        window: Window,
        node: &Node,
        best: &Best,
        (mv, rank, is_quiet): (PlacedMove, i32, bool),
        so_far: &mut PassingOver<V>,
    ) -> bool {
        let Node { depth, in_check, worth, improves, .. } = *node;
        if in_check || best.score <= -FORCED {
            return false;
        }
        // Of many quiet moves the last are seldom good, unless they check; nor is what loses material near the end of a
        // line. Nothing is passed over while a mate is known and a shorter one looked for.
        if !window.is_open() && best.alpha < FORCED && depth <= 8 {
            let most = (3 + depth * depth) / if improves { 1 } else { 2 };
            let is_hopeless = depth <= 6 && worth.is_some_and(|worth| worth + 90 + 110 * depth <= best.alpha);
            let is_late = so_far.quiet_tried >= most.max(2) + V::COLORS.len() as i32;
            let is_of_no_use = if is_quiet {
                (is_late || is_hopeless) && !self.checks(position, mv, so_far)
            } else {
                rank < order::GOOD && depth <= 5 && !exchange::gains(position, mv, -90 * depth)
            };
            if is_of_no_use {
                return true;
            }
        }
        position.players_left() > 2 && self.gives_up(position, mv, so_far)
    }

    /// Whether one of several opponents would lose material by a move, so that only the others could gain by it. None does so,
    /// unless it may be part of a mate: it checks, or goes next to the king. If all did, no position were safe, and the less
    /// the deeper one looks: 30,000 positions a move were worth no more than 7,500.
    fn gives_up(&self, position: &Position<V>, mv: PlacedMove, so_far: &mut PassingOver<V>) -> bool {
        let ring = V::Geometry::TABLES.king[usize::from(position.king(self.me))];
        !self.is_mine(position)
            && !ring.has(mv.to)
            && !exchange::gains(position, mv, 0)
            && !self.checks(position, mv, so_far)
    }

    /// Whether the piece that moves will check whom it plays against.
    fn checks(&self, position: &Position<V>, mv: PlacedMove, so_far: &mut PassingOver<V>) -> bool {
        so_far.checking.get_or_insert_with(|| self.checking(position)).has(mv)
    }

    /// Where pieces of the player to move would check whom it plays against.
    fn checking(&self, position: &Position<V>) -> Checking<V> {
        let players = V::COLORS.len();
        let turn = position.turn_index();
        let against = if turn == self.me {
            (1..players).map(|step| (turn + step) % players).find(|&player| position.is_in(player))
        } else {
            Some(self.me)
        };
        let king = position.king(against.unwrap_or(self.me));
        let [knight, bishop, rook] =
            [Role::Knight, Role::Bishop, Role::Rook].map(|role| reach::<V>(role, king, position.occupied()));
        Checking { knight, bishop, rook }
    }
}

/// What is gathered while moves of one position are passed over.
pub(super) struct PassingOver<V: VariantRules> {
    /// Quiet moves that were looked at.
    pub(super) quiet_tried: i32,
    /// Where moves would check, once that is asked.
    checking: Option<Checking<V>>,
}

impl<V: VariantRules> Default for PassingOver<V> {
    fn default() -> Self {
        Self { quiet_tried: 0, checking: None }
    }
}

/// Squares from which pieces check a king at once. What is laid open, and pawns, are passed over.
struct Checking<V: VariantRules> {
    knight: BitsOf<V>,
    bishop: BitsOf<V>,
    rook: BitsOf<V>,
}

impl<V: VariantRules> Checking<V> {
    fn has(&self, mv: PlacedMove) -> bool {
        match mv.deed.role() {
            Role::Knight => self.knight.has(mv.to),
            Role::Bishop => self.bishop.has(mv.to),
            Role::Rook => self.rook.has(mv.to),
            Role::Queen => self.bishop.has(mv.to) || self.rook.has(mv.to),
            Role::Pawn | Role::King => false,
        }
    }
}
