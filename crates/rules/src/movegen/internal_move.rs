//! Legal moves between cells of the board. A search uses this form because it makes many moves.

use alloc::vec::Vec;

use super::{PawnMove, PawnTargets, Promotions, Sink};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::Geometry;
use crate::mv::Move;
use crate::position::{BitsOf, Position};
use crate::role::Role;
use crate::variant::VariantRules;

/// The kind of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A move of a knight, bishop, rook, queen or king.
    Piece(Role),
    /// A step or capture of a pawn.
    Pawn,
    /// A double step of a pawn.
    DoubleStep,
    /// A promotion.
    Promotion(Role),
    /// A capture en passant.
    EnPassant,
    /// Castling.
    Castling(CastlingSide),
}

impl MoveKind {
    /// The role of the moved piece.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Piece(role) => role,
            Self::Pawn | Self::DoubleStep | Self::Promotion(_) | Self::EnPassant => Role::Pawn,
            Self::Castling(_) => Role::King,
        }
    }
}

/// A legal move of one position, between cells of its board. The value takes four bytes.
/// [`Position::make_internal`] makes the move without checking again that it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InternalMove {
    /// The cell that the piece leaves.
    pub from: u8,
    /// The cell that the piece lands on.
    pub to: u8,
    /// The kind of move.
    pub kind: MoveKind,
}

impl InternalMove {
    /// Converts to the move as players enter it.
    #[must_use]
    pub fn to_move<V: VariantRules>(self) -> Move {
        let promotion = match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        };
        Move { from: V::Geometry::square(self.from), to: V::Geometry::square(self.to), promotion }
    }
}

/// A sink that lists moves between cells. A reused list does not allocate again.
#[derive(Clone, Debug)]
pub struct InternalMoveList<V: VariantRules> {
    /// The moves, in the order in which they were generated.
    pub moves: Vec<InternalMove>,
    /// The cells where listed moves may land. Promotions, castling and captures en passant are
    /// listed wherever they land.
    pub within: BitsOf<V>,
}

impl<V: VariantRules> Default for InternalMoveList<V> {
    fn default() -> Self {
        Self { moves: Vec::with_capacity(64), within: V::Geometry::TABLES.board }
    }
}

impl<V: VariantRules> InternalMoveList<V> {
    #[inline(always)]
    fn push_pawns(&mut self, (kind, back, targets): (PawnMove, i16, BitsOf<V>)) {
        let kind = if kind == PawnMove::DoubleStep { MoveKind::DoubleStep } else { MoveKind::Pawn };
        let targets = targets & self.within;
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.moves.push(InternalMove { from: to.wrapping_add_signed(back as i8), to, kind });
            }
        }
    }
}

impl<V: VariantRules> Sink<V> for InternalMoveList<V> {
    #[inline(always)]
    fn piece<const MOVER: usize>(&mut self, role: Role, from: u8, targets: BitsOf<V>) {
        let targets = targets & self.within;
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.moves.push(InternalMove { from, to, kind: MoveKind::Piece(role) });
            }
        }
    }

    #[inline(always)]
    fn pawns<const MOVER: usize>(&mut self, targets: PawnTargets<BitsOf<V>>) {
        let [steps, double_steps, left, right] = targets.by_kind::<V, MOVER>();
        self.push_pawns(steps);
        self.push_pawns(double_steps);
        self.push_pawns(left);
        self.push_pawns(right);
    }

    #[inline]
    fn promotions<const MOVER: usize>(&mut self, back: i16, targets: BitsOf<V>, choices: Promotions) {
        targets.for_each(|to| {
            let from = to.wrapping_add_signed(back as i8);
            self.moves.extend(choices.roles().map(|role| InternalMove {
                from,
                to,
                kind: MoveKind::Promotion(role),
            }));
        });
    }

    #[inline]
    fn en_passant<const MOVER: usize>(&mut self, from: u8, to: u8) {
        self.moves.push(InternalMove { from, to, kind: MoveKind::EnPassant });
    }

    #[inline]
    fn castling<const MOVER: usize>(&mut self, castling: CastlingSide, from: u8, to: u8) {
        self.moves.push(InternalMove { from, to, kind: MoveKind::Castling(castling) });
    }
}

impl<V: VariantRules> Position<V> {
    /// Converts a move to a move between cells, if the move is legal.
    #[must_use]
    pub fn internal_move(&self, mv: Move) -> Option<InternalMove> {
        let kind = self.move_kind(mv)?;
        Some(InternalMove { from: V::Geometry::cell(mv.from), to: V::Geometry::cell(mv.to), kind })
    }

    /// Makes a move that was generated in this position, and passes the turn. No player is
    /// eliminated, even if the next player is checkmated.
    ///
    /// A move of another position gives a meaningless position or a panic.
    #[inline]
    pub fn make_internal(&mut self, mv: InternalMove) {
        let (mover, from, to) = (self.turn_index(), mv.from, mv.to);
        match mv.kind {
            MoveKind::Piece(role) => self.make_piece(mover, role, from, to),
            MoveKind::Pawn => self.make_pawn(mover, from, to),
            MoveKind::DoubleStep => self.make_double_step(mover, from, to),
            MoveKind::Promotion(role) => self.make_promotion(mover, from, to, role),
            MoveKind::EnPassant => self.make_en_passant(mover, from, to),
            MoveKind::Castling(castling) => self.make_castling(mover, castling),
        }
    }
}
