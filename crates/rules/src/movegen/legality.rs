//! Single moves: checking that a move is legal, and making a move.

use super::internal_move::MoveKind;
use super::king::castling_target;
use super::pawns::promotion_zone;
use super::reach;
use super::sink::{MoveCounter, Promotions};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::{Direction, Geometry};
use crate::mv::Move;
use crate::position::{BitsOf, Position, can_capture_en_passant, is_attacked};
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};

impl<V: VariantRules> Position<V> {
    /// Returns whether the player to move has a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        MoveCounter::count(self) > 0
    }

    /// Returns whether a move is legal, without generating the other moves.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.move_kind(mv).is_some()
    }

    /// Plays a legal move and passes the turn. As long as the player to move is checkmated,
    /// eliminates this player and passes the turn again (rule D8).
    ///
    /// # Panics
    /// Panics if the move is not legal.
    pub fn play(&mut self, mv: Move) {
        assert!(self.make(mv), "{mv} is not legal here");
        while self.eliminate_if_mated() {}
    }

    /// Makes a move and passes the turn, without eliminating anyone. Returns false and changes
    /// nothing if the move is not legal.
    #[must_use]
    pub(crate) fn make(&mut self, mv: Move) -> bool {
        let Some(mv) = self.internal_move(mv) else { return false };
        self.make_internal(mv);
        true
    }

    /// Returns the kind of a move, if it is legal.
    pub(crate) fn move_kind(&self, mv: Move) -> Option<MoveKind> {
        let shape = V::Geometry::SHAPE;
        if !shape.contains(mv.from) || !shape.contains(mv.to) {
            return None;
        }
        let mover = self.turn_index();
        let (from, to) = (V::Geometry::cell(mv.from), V::Geometry::cell(mv.to));
        if !self.colors[mover].has(from) || self.colors[mover].has(to) || self.role(Role::King).has(to) {
            return None;
        }
        let role = self.role_at(from)?;
        let kind = match role {
            Role::Pawn => return self.pawn_move_kind(mover, from, to, mv.promotion),
            Role::King => self.king_move_kind(mover, from, to)?,
            _ => MoveKind::Piece(role),
        };
        if mv.promotion.is_some() {
            return None;
        }
        if kind == MoveKind::Piece(role) {
            let reached = reach::<V>(role, from, self.occupied()).has(to);
            let king = if role == Role::King { to } else { self.king(mover) };
            if !reached || !self.stays_safe(mover, king, from, to) {
                return None;
            }
        }
        Some(kind)
    }

    /// Returns the kind of a king's move: a step or castling.
    fn king_move_kind(&self, mover: usize, from: u8, to: u8) -> Option<MoveKind> {
        if V::Geometry::TABLES.king[usize::from(from)].has(to) {
            return Some(MoveKind::Piece(Role::King));
        }
        if !self.checkers(mover).is_empty() {
            return None;
        }
        let occupied = self.occupied();
        let enemies = occupied & !self.colors[mover];
        let can_cross = |crossed| !is_attacked(self, mover, crossed, enemies, occupied);
        let castles =
            |castling: &CastlingSide| castling_target(self, mover, *castling, can_cross) == Some(to);
        CastlingSide::BOTH.into_iter().find(castles).map(MoveKind::Castling)
    }

    fn pawn_move_kind(&self, mover: usize, from: u8, to: u8, promotion: Option<Role>) -> Option<MoveKind> {
        let tables = V::Geometry::TABLES;
        let side = side::<V>(mover);
        let occupied = self.occupied();
        let captures = tables.pawn[side as usize][usize::from(from)].has(to);
        if captures && !occupied.has(to) {
            let passed = self.passed(opposite::<V>(mover)) == Some(to);
            let legal = passed && promotion.is_none() && can_capture_en_passant(self, mover, from, to);
            return legal.then_some(MoveKind::EnPassant);
        }
        let forward = Direction::forward(side);
        let step = V::Geometry::step(BitsOf::<V>::single(from), forward) & tables.board & !occupied;
        let third_row = tables.third_row[side as usize];
        let double_step = V::Geometry::step(step & third_row, forward) & !occupied;
        let kind = match promotion {
            Some(role) => Promotions::of(self, mover).has(role).then_some(MoveKind::Promotion(role))?,
            None if double_step.has(to) => MoveKind::DoubleStep,
            None => MoveKind::Pawn,
        };
        let moves = captures || step.has(to) || kind == MoveKind::DoubleStep;
        let promotes = promotion_zone::<V>(mover).has(to);
        (moves && promotes == promotion.is_some() && self.stays_safe(mover, self.king(mover), from, to))
            .then_some(kind)
    }

    /// Returns whether a king of `mover` on `king` is safe once a piece has moved from `from` to
    /// `to`.
    fn stays_safe(&self, mover: usize, king: u8, from: u8, to: u8) -> bool {
        let (from, to) = (BitsOf::<V>::single(from), BitsOf::<V>::single(to));
        let occupied = self.occupied();
        let enemies = occupied & !self.colors[mover] & !to;
        !is_attacked(self, mover, king, enemies, occupied & !from | to)
    }
}
