//! The king's moves: single steps (rule G3) and castling (rule G8).

use super::{Context, Sink};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::Geometry;
use crate::position::{BitsOf, Position, castling_path, is_attacked};
use crate::role::Role;
use crate::variant::VariantRules;

/// Generates steps to squares that no opponent attacks, and returns these squares. Squares behind
/// the king, on the line of an attacker, count as attacked.
#[inline(always)]
pub(super) fn steps<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    landing: BitsOf<V>,
    sink: &mut S,
) -> BitsOf<V> {
    let occupied = context.occupied ^ BitsOf::<V>::single(context.king);
    let steps = V::Geometry::TABLES.king[usize::from(context.king)] & landing;
    let mut safe = steps;
    for word in 0..BitsOf::<V>::WORDS {
        for to in steps.word(word) {
            if is_attacked(context.position, MOVER, to, context.enemies, occupied) {
                safe ^= BitsOf::<V>::single(to);
            }
        }
    }
    sink.piece::<MOVER>(Role::King, context.king, safe);
    safe
}

/// Generates castling moves of a king that is not in check. `safe` contains the squares to which
/// the king can step.
#[inline(always)]
pub(super) fn castlings<V: VariantRules, const MOVER: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    safe: BitsOf<V>,
    sink: &mut S,
) {
    for castling in CastlingSide::BOTH {
        if let Some(to) = castling_target(context.position, MOVER, castling, |crossed| safe.has(crossed)) {
            sink.castling::<MOVER>(castling, context.king, to);
        }
    }
}

/// Returns the cell on which the castling king lands, if castling is legal. The king must not be in
/// check. `can_cross` returns true if the king could step to the given cell, which is the cell that
/// the king crosses.
#[inline(always)]
pub(super) fn castling_target<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    castling: CastlingSide,
    can_cross: impl FnOnce(u8) -> bool,
) -> Option<u8> {
    let rook = position.castling_rook(mover, castling)?;
    let king = position.king(mover);
    let occupied = position.occupied();
    if !(V::Geometry::between(king, rook) & occupied).is_empty() {
        return None;
    }
    let (crossed, reached) = castling_path::<V>(king, rook);
    (can_cross(crossed) && is_safe_without_rook(position, mover, reached, rook)).then_some(reached)
}

/// Returns whether no opponent attacks the king after castling. The rook has left its cell, so it
/// no longer blocks the pieces behind that cell. The king has left its cell too, but a piece behind
/// that cell would have given check before castling.
#[inline(never)]
fn is_safe_without_rook<V: VariantRules>(position: &Position<V>, mover: usize, king: u8, rook: u8) -> bool {
    let occupied = position.occupied();
    let enemies = occupied & !position.colors[mover];
    !is_attacked(position, mover, king, enemies, occupied ^ BitsOf::<V>::single(rook))
}
