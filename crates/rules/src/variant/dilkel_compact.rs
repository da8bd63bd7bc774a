//! `dilkel-compact`: the four-player game on the cross of 128 squares.

use super::dilkel::Dilkel;
use super::id::Variant;
use super::names::Names;
use super::rules::{CastlingRule, DefeatRule, PromotionRule, VariantRules};
use crate::color::Color;
use crate::geometry::Cross128;
use crate::role::Role;

/// The rules of `dilkel-compact` (rule S5): the rules of [`Dilkel`] on a smaller board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DilkelCompact;

impl VariantRules for DilkelCompact {
    const VARIANT: Variant = Variant::DilkelCompact;
    type Geometry = Cross128;
    type PerColor<T: Copy + core::fmt::Debug + Eq + 'static> = [T; 4];
    const COLORS: &'static [Color] = Dilkel::COLORS;
    const BACK_ROWS: &'static [[Role; 8]] = Dilkel::BACK_ROWS;
    const PROMOTION: PromotionRule = Dilkel::PROMOTION;
    const DEFEAT: DefeatRule = Dilkel::DEFEAT;
    const CASTLING: CastlingRule = Dilkel::CASTLING;
}

impl DilkelCompact {
    pub(super) const NAMES: Names =
        Names { tag: "Dilkel-Compact", ..Names::new("dilkel-compact", "Dilkel compact") };
}
