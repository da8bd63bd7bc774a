//! The moves of pawns: steps, captures and promotions for all pawns at once (rules G4, D4), and
//! captures en passant (rules C2, D3).

use super::{Context, PawnTargets, Promotions, Sink};
use crate::bits::Bits;
use crate::geometry::{Direction, Geometry};
use crate::position::{BitsOf, can_capture_en_passant};
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};

/// Generates steps, double steps, captures and promotions.
#[inline(always)]
pub(super) fn moves<V: VariantRules, const MOVER: usize, S: Sink<V>>(context: &Context<'_, V>, sink: &mut S) {
    let pawns = context.position.role(Role::Pawn) & context.own_pieces;
    moves_of::<V, MOVER, S>(context, pawns & !context.pinned, context.targets, sink);
    let pinned = pawns & context.pinned;
    if !pinned.is_empty() {
        pinned_moves::<V, MOVER, S>(context, pinned, sink);
    }
}

/// Generates the moves of pinned pawns, one by one along their lines.
#[inline(never)]
fn pinned_moves<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    pinned: BitsOf<V>,
    sink: &mut S,
) {
    pinned.for_each(|from| {
        let line = V::Geometry::line(context.king, from);
        moves_of::<V, MOVER, S>(context, BitsOf::<V>::single(from), context.targets & line, sink);
    });
}

#[inline(always)]
fn moves_of<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    pawns: BitsOf<V>,
    targets: BitsOf<V>,
    sink: &mut S,
) {
    let tables = V::Geometry::TABLES;
    let forward = Direction::forward(side::<V>(MOVER));
    let empty = tables.board & !context.occupied;
    let zone = promotion_zone::<V>(MOVER);

    let single_steps = V::Geometry::step(pawns, forward) & empty;
    let third_row = tables.third_row[side::<V>(MOVER) as usize];
    let double_steps = V::Geometry::step(single_steps & third_row, forward) & empty & targets;
    let single_steps = single_steps & targets;
    let [left, right] = Direction::captures(side::<V>(MOVER));
    let left_captures = V::Geometry::step(pawns, left) & context.enemies & targets;
    let right_captures = V::Geometry::step(pawns, right) & context.enemies & targets;
    sink.pawns::<MOVER>(PawnTargets {
        steps: single_steps & !zone,
        double_steps,
        captures: [left_captures & !zone, right_captures & !zone],
    });

    if !((single_steps | left_captures | right_captures) & zone).is_empty() {
        let choices = Promotions::of(context.position, MOVER);
        for (direction, targets) in [(forward, single_steps), (left, left_captures), (right, right_captures)]
        {
            sink.promotions::<MOVER>(-V::Geometry::stride(direction), targets & zone, choices);
        }
    }
}

/// Returns the squares where a color's pawns promote: the baselines of all other colors, eliminated
/// or not (rules C3, D4).
#[inline(always)]
pub(crate) fn promotion_zone<V: VariantRules>(mover: usize) -> BitsOf<V> {
    let mut zone = BitsOf::<V>::EMPTY;
    for color in 0..V::COLORS.len() {
        if color != mover {
            zone |= V::Geometry::TABLES.baseline[side::<V>(color) as usize];
        }
    }
    zone
}

/// Generates captures of the pawn that the opposite player has just moved two squares.
#[inline(always)]
pub(super) fn en_passant_captures<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    sink: &mut S,
) {
    if let Some(passed) = context.position.passed(opposite::<V>(MOVER)) {
        captures_on_passed_cell::<V, MOVER, S>(context, passed, sink);
    }
}

#[inline(never)]
fn captures_on_passed_cell<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    passed: u8,
    sink: &mut S,
) {
    let victim_side = side::<V>(opposite::<V>(MOVER)) as usize;
    let capturers = V::Geometry::TABLES.pawn[victim_side][usize::from(passed)]
        & context.position.role(Role::Pawn)
        & context.own_pieces;
    capturers.for_each(|from| {
        if can_capture_en_passant(context.position, MOVER, from, passed) {
            sink.en_passant::<MOVER>(from, passed);
        }
    });
}
