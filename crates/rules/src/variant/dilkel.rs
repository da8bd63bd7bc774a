//! `dilkel`: the four-player game on the cross of 160 squares.

use super::id::Variant;
use super::names::Names;
use super::rules::{CastlingRule, DefeatRule, PromotionRule, VariantRules};
use crate::color::Color;
use crate::geometry::Cross160;
use crate::role::Role::{self, Bishop, King, Knight, Queen, Rook};

/// The rules of `dilkel` (RULES, D1-D15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dilkel;

impl VariantRules for Dilkel {
    const VARIANT: Variant = Variant::Dilkel;
    type Geometry = Cross160;
    type PerColor<T: Copy + core::fmt::Debug + Eq + 'static> = [T; 4];
    const COLORS: &'static [Color] = &[Color::Red, Color::Blue, Color::Yellow, Color::Green];
    const BACK_ROWS: &'static [[Role; 8]] = &[[Rook, Knight, Bishop, King, Queen, Bishop, Knight, Rook]; 4];
    const PROMOTION: PromotionRule = PromotionRule::Reserve;
    const DEFEAT: DefeatRule = DefeatRule::Eliminates;
    const CASTLING: CastlingRule = CastlingRule::AnyRow;
}

impl Dilkel {
    pub(super) const NAMES: Names = Names { tag: "Dilkel", ..Names::new("dilkel", "Dilkel") };
}
