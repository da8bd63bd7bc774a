//! Dropping from a set-up what keeps it from being a position.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use super::{CastlingRights, Dropped, Setup, SetupWarning};
use crate::any::AnyPosition;
use crate::castling_side::CastlingSide;
use crate::color::ByColor;
use crate::reserve::Reserve;

impl Setup {
    /// Drops castling rights for which king and rook do not stand (G8, D7).
    pub(super) fn drop_impossible_castling(&mut self, warnings: &mut Vec<SetupWarning>) {
        let Some(bare) = self.bare() else { return };
        for &color in self.variant.colors() {
            for side in CastlingSide::BOTH {
                let rights = self.castling[color];
                let short = CastlingRights { long: false, ..rights };
                let long = CastlingRights { long: rights.long, ..CastlingRights::default() };
                let (right, other) = match side {
                    CastlingSide::Short => (short, long),
                    CastlingSide::Long => (long, short),
                };
                let mut alone = bare.clone();
                alone.castling[color] = right;
                if AnyPosition::new(&alone).is_err() {
                    self.castling[color] = other;
                    warnings.push(SetupWarning { what: Dropped::CastlingRight { color, side } });
                }
            }
        }
    }

    /// Drops en passant rights that no double step can have left, or that are gone (C2, D3).
    pub(super) fn drop_impossible_en_passant(&mut self, warnings: &mut Vec<SetupWarning>) {
        let Some(bare) = self.bare() else { return };
        for &color in self.variant.colors() {
            let Some(step) = self.double_steps[color] else { continue };
            let mut alone = bare.clone();
            alone.double_steps[color] = Some(step);
            if let Err(error) = AnyPosition::new(&alone) {
                self.double_steps[color] = None;
                let text = step.passed.to_string();
                warnings.push(SetupWarning { what: Dropped::EnPassant { text, reason: error.reason } });
            }
        }
    }

    /// The same without rights and reserves, if that at least is a position.
    fn bare(&self) -> Option<Self> {
        let bare = Self {
            castling: ByColor::from_fn(|_| CastlingRights::default()),
            double_steps: ByColor::from_fn(|_| None),
            reserves: ByColor::from_fn(|_| Reserve::EMPTY),
            ..self.clone()
        };
        AnyPosition::new(&bare).is_ok().then_some(bare)
    }
}
