//! Lenient reading of set-ups: repairs that make a position possible.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::any::AnyPosition;
use crate::castling_side::CastlingSide;
use crate::color::ByColor;
use crate::reserve::Reserve;
use crate::setup::{CastlingRights, Dropped, Reading, Setup, SetupError, SetupWarning};
use crate::variant::Variant;

impl Setup {
    /// Reads a FEN or FEN4 as sites and engines write it (`docs/NOTATION.md`). Returns the set-up,
    /// with a warning for each part that was dropped, such as a castling right without king and
    /// rook in place, or an expired en passant right.
    ///
    /// # Errors
    /// Returns a [`SetupError`] if a field cannot be read.
    /// [`AnyPosition::new`](crate::AnyPosition::new) decides whether the set-up makes sense.
    pub fn parse_lenient(variant: Variant, text: &str) -> Result<(Self, Vec<SetupWarning>), SetupError> {
        let mut reading = Reading::Lenient(Vec::new());
        let mut setup = Self::read(variant, text, &mut reading)?;
        let mut warnings = reading.into_warnings();
        setup.drop_impossible_castling(&mut warnings);
        setup.drop_impossible_en_passant(&mut warnings);
        Ok((setup, warnings))
    }

    /// Drops castling rights without king and rook in place (rules G8, D7).
    fn drop_impossible_castling(&mut self, warnings: &mut Vec<SetupWarning>) {
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

    /// Drops en passant rights that no double step can have left, or that have expired (rules C2,
    /// D3).
    fn drop_impossible_en_passant(&mut self, warnings: &mut Vec<SetupWarning>) {
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

    /// Returns the set-up without rights and reserves, if the result is a valid position.
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
