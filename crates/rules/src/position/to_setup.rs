//! The conversion of a position to a set-up.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::Position;
use crate::castling_side::CastlingSide;
use crate::color::{ByColor, Color};
use crate::elimination::Cause;
use crate::geometry::Geometry;
use crate::setup::{CastlingRights, DoubleStep, Setup};
use crate::variant::{DefeatRule, VariantRules, side};

impl<V: VariantRules> Position<V> {
    /// Returns the position as a set-up.
    ///
    /// A position does not know the causes of eliminations: eliminated players are listed in turn
    /// order with the cause `resign`, the default of FEN4. [`Game::setup`](crate::Game::setup)
    /// knows the causes.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let each = |make: &dyn Fn(usize) -> Option<DoubleStep>| {
            ByColor::from_fn(|color| if color < V::COLORS.len() { make(color) } else { None })
        };
        Setup {
            variant: V::VARIANT,
            pieces: self.pieces().collect(),
            turn: self.turn(),
            eliminated: self.eliminated_players().map(|color| (color, Cause::Resign)).collect::<Vec<_>>(),
            castling: ByColor::from_fn(|color| self.castling_rights(color)),
            double_steps: each(&|color| self.double_step(color)),
            reserves: ByColor::from_fn(|color| match V::COLORS.get(color) {
                Some(&color) => self.reserve(color),
                None => crate::Reserve::EMPTY,
            }),
            halfmove_clock: self.clock,
            move_number: self.number.map(NonZeroU32::get),
        }
    }

    fn eliminated_players(&self) -> impl Iterator<Item = Color> + '_ {
        V::COLORS.iter().copied().filter(|color| !self.is_playing(color.index()))
    }

    fn castling_rights(&self, color: usize) -> CastlingRights {
        let Some(&owner) = V::COLORS.get(color) else { return CastlingRights::default() };
        let [short, long] = CastlingSide::BOTH.map(|castling| self.castling_rook(color, castling));
        let meant = |rook: &u8| self.castling_rooks(owner, CastlingSide::Short).next() == Some(*rook);
        let short_rook = short.filter(|rook| !meant(rook)).map(V::Geometry::square);
        CastlingRights { short: short.is_some(), long: long.is_some(), short_rook }
    }

    /// Returns the en passant right to write into the set-up. In a FEN of two players it is written
    /// only if the capture is legal. In a FEN4 every pending right is written, because the
    /// capturing player's turn may come later.
    fn double_step(&self, color: usize) -> Option<DoubleStep> {
        let cell = match V::DEFEAT {
            DefeatRule::EndsMatch => self.possible_en_passant(color)?,
            DefeatRule::Eliminates => self.passed(color)?,
        };
        let passed = V::Geometry::square(cell);
        let pawn = V::Geometry::square(V::Geometry::ahead(side::<V>(color), cell));
        Some(DoubleStep { passed, pawn })
    }
}
