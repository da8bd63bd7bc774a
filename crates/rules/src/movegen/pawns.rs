//! The moves of pawns: steps, captures and promotions for all pawns at once (G4, D4), and captures
//! en passant (C2, D3).

use super::{Context, PawnTargets, Promotions, Sink};
use crate::bits::Bits;
use crate::geometry::{Direction, Geometry};
use crate::position::{BitsOf, can_capture_passed};
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};

/// Generates steps, double steps, captures and promotions.
#[inline(always)]
pub(super) fn advance<V: VariantRules, const ME: usize, S: Sink<V>>(context: &Context<'_, V>, sink: &mut S) {
    let pawns = context.position.role(Role::Pawn) & context.own;
    advance_pawns::<V, ME, S>(context, pawns & !context.pinned, context.targets, sink);
    let pinned = pawns & context.pinned;
    if !pinned.is_empty() {
        advance_pinned::<V, ME, S>(context, pinned, sink);
    }
}

/// Generates the moves of pinned pawns, one by one along their lines.
#[inline(never)]
fn advance_pinned<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    pinned: BitsOf<V>,
    sink: &mut S,
) {
    pinned.for_each(|from| {
        let line = V::Geometry::line(context.king, from);
        advance_pawns::<V, ME, S>(context, BitsOf::<V>::single(from), context.targets & line, sink);
    });
}

#[inline(always)]
fn advance_pawns<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    pawns: BitsOf<V>,
    targets: BitsOf<V>,
    sink: &mut S,
) {
    let tables = V::Geometry::TABLES;
    let forward = Direction::forward(side::<V>(ME));
    let empty = tables.board & !context.occupied;
    let zone = promotion_zone::<V>(ME);

    let stepped = V::Geometry::step(pawns, forward) & empty;
    let third_row = tables.third_row[side::<V>(ME) as usize];
    let doubled = V::Geometry::step(stepped & third_row, forward) & empty & targets;
    let stepped = stepped & targets;
    let [left, right] = Direction::captures(side::<V>(ME));
    let left_taken = V::Geometry::step(pawns, left) & context.enemies & targets;
    let right_taken = V::Geometry::step(pawns, right) & context.enemies & targets;
    sink.pawns::<ME>(PawnTargets {
        steps: stepped & !zone,
        double_steps: doubled,
        captures: [left_taken & !zone, right_taken & !zone],
    });

    if !((stepped | left_taken | right_taken) & zone).is_empty() {
        let choices = Promotions::of(context.position, ME);
        for (direction, targets) in [(forward, stepped), (left, left_taken), (right, right_taken)] {
            sink.promotions::<ME>(-V::Geometry::stride(direction), targets & zone, choices);
        }
    }
}

/// Returns the squares where a color's pawns promote: the baselines of all other colors, eliminated
/// or not (C3, D4).
#[inline(always)]
pub(super) fn promotion_zone<V: VariantRules>(me: usize) -> BitsOf<V> {
    let mut zone = BitsOf::<V>::EMPTY;
    for color in 0..V::COLORS.len() {
        if color != me {
            zone |= V::Geometry::TABLES.baseline[side::<V>(color) as usize];
        }
    }
    zone
}

/// Generates captures of the pawn that the opposite player has just moved two squares.
#[inline(always)]
pub(super) fn capture_passed<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    sink: &mut S,
) {
    if let Some(passed) = context.position.passed(opposite::<V>(ME)) {
        capture_on_passed::<V, ME, S>(context, passed, sink);
    }
}

#[inline(never)]
fn capture_on_passed<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    passed: u8,
    sink: &mut S,
) {
    let stepper = side::<V>(opposite::<V>(ME)) as usize;
    let ready = V::Geometry::TABLES.pawn[stepper][usize::from(passed)]
        & context.position.role(Role::Pawn)
        & context.own;
    ready.for_each(|from| {
        if can_capture_passed(context.position, ME, from, passed) {
            sink.en_passant::<ME>(from, passed);
        }
    });
}
