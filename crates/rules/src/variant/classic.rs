//! `classic`: chess on 8 x 8 for two players.

use super::id::Variant;
use super::names::Names;
use super::rules::{CastlingRule, DefeatRule, PromotionRule, VariantRules};
use crate::color::Color;
use crate::geometry::Square8;
use crate::role::Role::{self, Bishop, King, Knight, Queen, Rook};

/// The rules of `classic` (RULES, C1-C7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classic;

impl VariantRules for Classic {
    const VARIANT: Variant = Variant::Classic;
    type Geometry = Square8;
    type PerColor<T: Copy + core::fmt::Debug + Eq + 'static> = [T; 2];
    const COLORS: &'static [Color] = &[Color::White, Color::Black];
    const BACK_ROWS: &'static [[Role; 8]] = &[
        [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook],
        [Rook, Knight, Bishop, King, Queen, Bishop, Knight, Rook],
    ];
    const PROMOTION: PromotionRule = PromotionRule::Any;
    const DEFEAT: DefeatRule = DefeatRule::EndsMatch;
    const CASTLING: CastlingRule = CastlingRule::FromHome;
}

impl Classic {
    pub(super) const NAMES: Names =
        Names { uci_aliases: &["chess"], tag: "Classic", ..Names::new("classic", "Classic") };
}
