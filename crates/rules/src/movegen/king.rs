//! The king's moves: single steps (G3) and castling (G8).

use super::{Context, Sink};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::Geometry;
use crate::position::{BitsOf, Position, castling_path, is_attacked};
use crate::role::Role;
use crate::variant::VariantRules;

/// Generates steps to squares that no opponent attacks; the king itself shields none of them.
/// Returns these squares.
#[inline(always)]
pub(super) fn walk<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    landing: BitsOf<V>,
    sink: &mut S,
) -> BitsOf<V> {
    let occupied = context.occupied ^ BitsOf::<V>::single(context.king);
    let near = V::Geometry::TABLES.king[usize::from(context.king)] & landing;
    let mut safe = near;
    for word in 0..BitsOf::<V>::WORDS {
        for to in near.word(word) {
            if is_attacked(context.position, ME, to, context.enemies, occupied) {
                safe ^= BitsOf::<V>::single(to);
            }
        }
    }
    sink.piece::<ME>(Role::King, context.king, safe);
    safe
}

/// Generates castling for a king that is not in check and can step to `safe`.
#[inline(always)]
pub(super) fn castle<V: VariantRules, const ME: usize, S: Sink<V>>(
    context: &Context<'_, V>,
    safe: BitsOf<V>,
    sink: &mut S,
) {
    for castling in CastlingSide::BOTH {
        if let Some(to) = castling_target(context.position, ME, castling, |crossed| safe.has(crossed)) {
            sink.castling::<ME>(castling, context.king, to);
        }
    }
}

/// Returns the cell that a king not in check castles to, if it may; `can_cross` says whether it
/// could step to the square it crosses.
#[inline(always)]
pub(super) fn castling_target<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    castling: CastlingSide,
    can_cross: impl FnOnce(u8) -> bool,
) -> Option<u8> {
    let rook = position.castling_rook(me, castling)?;
    let king = position.king(me);
    let occupied = position.occupied();
    if !(V::Geometry::between(king, rook) & occupied).is_empty() {
        return None;
    }
    let (crossed, reached) = castling_path::<V>(king, rook);
    (can_cross(crossed) && is_safe_without(position, me, reached, rook)).then_some(reached)
}

/// Returns whether no opponent attacks a castled king: its rook no longer shields it from pieces
/// behind it. Pieces behind the king give check already.
#[inline(never)]
fn is_safe_without<V: VariantRules>(position: &Position<V>, me: usize, king: u8, rook: u8) -> bool {
    let occupied = position.occupied();
    let enemies = occupied & !position.colors[me];
    !is_attacked(position, me, king, enemies, occupied ^ BitsOf::<V>::single(rook))
}
