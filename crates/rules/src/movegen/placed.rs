//! Legal moves as the generator finds them, for who makes many of them: a search.

use alloc::vec::Vec;

use super::{PawnMove, PawnTargets, Promotions, Sink};
use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::mv::Move;
use crate::position::{BitsOf, Position};
use crate::role::Role;
use crate::variant::VariantRules;
use crate::wing::Wing;

/// What a legal move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deed {
    /// A knight, bishop, rook, queen or king moves.
    Piece(Role),
    /// A pawn steps or captures.
    Pawn,
    /// A pawn steps twice.
    DoubleStep,
    /// A pawn becomes something else.
    Promotion(Role),
    /// A pawn captures in passing.
    EnPassant,
    /// King and rook move.
    Castling(Wing),
}

impl Deed {
    /// What moves.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Piece(role) => role,
            Self::Pawn | Self::DoubleStep | Self::Promotion(_) | Self::EnPassant => Role::Pawn,
            Self::Castling(_) => Role::King,
        }
    }
}

/// A legal move of one position, between places of its board; four bytes. [`Position::make_placed`] makes it without
/// asking again whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedMove {
    /// The place the piece leaves.
    pub from: u8,
    /// The place it lands on.
    pub to: u8,
    /// What it does.
    pub deed: Deed,
}

impl PlacedMove {
    /// The move as players write it.
    #[must_use]
    pub fn written<V: VariantRules>(self) -> Move {
        let promotion = match self.deed {
            Deed::Promotion(role) => Some(role),
            _ => None,
        };
        Move { from: V::Geometry::square(self.from), to: V::Geometry::square(self.to), promotion }
    }
}

/// A sink that lists moves between places; reused, it allocates no more.
#[derive(Clone, Debug)]
pub struct PlacedList<V: VariantRules> {
    /// The moves, in the order they were generated.
    pub moves: Vec<PlacedMove>,
    /// Where they may land. Promotions, castling and captures in passing are listed wherever they land.
    pub within: BitsOf<V>,
}

impl<V: VariantRules> Default for PlacedList<V> {
    fn default() -> Self {
        Self { moves: Vec::with_capacity(64), within: V::Geometry::TABLES.board }
    }
}

impl<V: VariantRules> PlacedList<V> {
    #[inline(always)]
    fn push_pawns(&mut self, (kind, back, targets): (PawnMove, i16, BitsOf<V>)) {
        let deed = if kind == PawnMove::DoubleStep { Deed::DoubleStep } else { Deed::Pawn };
        let targets = targets & self.within;
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.moves.push(PlacedMove { from: to.wrapping_add_signed(back as i8), to, deed });
            }
        }
    }
}

impl<V: VariantRules> Sink<V> for PlacedList<V> {
    #[inline(always)]
    fn piece<const ME: usize>(&mut self, role: Role, from: u8, targets: BitsOf<V>) {
        let targets = targets & self.within;
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.moves.push(PlacedMove { from, to, deed: Deed::Piece(role) });
            }
        }
    }

    #[inline(always)]
    fn pawns<const ME: usize>(&mut self, targets: PawnTargets<BitsOf<V>>) {
        let [steps, double_steps, left, right] = targets.by_kind::<V, ME>();
        self.push_pawns(steps);
        self.push_pawns(double_steps);
        self.push_pawns(left);
        self.push_pawns(right);
    }

    #[inline]
    fn promotions<const ME: usize>(&mut self, back: i16, targets: BitsOf<V>, choices: Promotions) {
        targets.for_each(|to| {
            let from = to.wrapping_add_signed(back as i8);
            self.moves.extend(choices.roles().map(|role| PlacedMove {
                from,
                to,
                deed: Deed::Promotion(role),
            }));
        });
    }

    #[inline]
    fn en_passant<const ME: usize>(&mut self, from: u8, to: u8) {
        self.moves.push(PlacedMove { from, to, deed: Deed::EnPassant });
    }

    #[inline]
    fn castling<const ME: usize>(&mut self, castling: Wing, from: u8, to: u8) {
        self.moves.push(PlacedMove { from, to, deed: Deed::Castling(castling) });
    }
}

impl<V: VariantRules> Position<V> {
    /// A move between places, if it is legal.
    #[must_use]
    pub fn placed(&self, mv: Move) -> Option<PlacedMove> {
        let deed = self.deed(mv)?;
        Some(PlacedMove { from: V::Geometry::place(mv.from), to: V::Geometry::place(mv.to), deed })
    }

    /// Makes a move that was generated in this very position, and passes the turn, judging nobody: who is then mated
    /// on its turn is still in. What comes of any other move is some position without meaning, or a panic.
    #[inline]
    pub fn make_placed(&mut self, mv: PlacedMove) {
        let (me, from, to) = (self.turn_index(), mv.from, mv.to);
        match mv.deed {
            Deed::Piece(role) => self.make_piece(me, role, from, to),
            Deed::Pawn => self.make_pawn(me, from, to),
            Deed::DoubleStep => self.make_double_step(me, from, to),
            Deed::Promotion(role) => self.make_promotion(me, from, to, role),
            Deed::EnPassant => self.make_en_passant(me, from, to),
            Deed::Castling(castling) => self.make_castling(me, castling),
        }
    }
}
