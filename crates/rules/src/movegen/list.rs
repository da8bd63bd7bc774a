//! Legal moves as a list.

use alloc::vec::Vec;

use super::{PawnMove, PawnTargets, Promotions, Sink};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::Geometry;
use crate::mv::Move;
use crate::position::{BitsOf, Position};
use crate::role::Role;
use crate::variant::VariantRules;

/// A sink that lists moves. A reused list does not allocate again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    /// The moves, in the order in which they were generated.
    pub moves: Vec<Move>,
}

impl<V: VariantRules> Sink<V> for MoveList {
    #[inline(always)]
    fn piece<const MOVER: usize>(&mut self, _: Role, from: u8, targets: BitsOf<V>) {
        let from = V::Geometry::square(from);
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.moves.push(Move::new(from, V::Geometry::square(to)));
            }
        }
    }

    #[inline(always)]
    fn pawns<const MOVER: usize>(&mut self, targets: PawnTargets<BitsOf<V>>) {
        let [steps, double_steps, left, right] = targets.by_kind::<V, MOVER>();
        self.push_pawns::<V>(steps);
        self.push_pawns::<V>(double_steps);
        self.push_pawns::<V>(left);
        self.push_pawns::<V>(right);
    }

    #[inline]
    fn promotions<const MOVER: usize>(&mut self, back: i16, targets: BitsOf<V>, choices: Promotions) {
        targets.for_each(|to| {
            let from = V::Geometry::square(to.wrapping_add_signed(back as i8));
            let to = V::Geometry::square(to);
            self.moves.extend(choices.roles().map(|role| Move::promoting(from, to, role)));
        });
    }

    #[inline]
    fn en_passant<const MOVER: usize>(&mut self, from: u8, to: u8) {
        self.moves.push(Move::new(V::Geometry::square(from), V::Geometry::square(to)));
    }

    #[inline]
    fn castling<const MOVER: usize>(&mut self, _: CastlingSide, from: u8, to: u8) {
        self.moves.push(Move::new(V::Geometry::square(from), V::Geometry::square(to)));
    }
}

impl MoveList {
    #[inline(always)]
    fn push_pawns<V: VariantRules>(&mut self, (_, back, targets): (PawnMove, i16, BitsOf<V>)) {
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                let from = to.wrapping_add_signed(back as i8);
                self.moves.push(Move::new(V::Geometry::square(from), V::Geometry::square(to)));
            }
        }
    }
}

impl<V: VariantRules> Position<V> {
    /// Returns every legal move of the player to move, in an order that is the same each run.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut list = MoveList { moves: Vec::with_capacity(64) };
        self.generate(&mut list);
        list.moves
    }
}
