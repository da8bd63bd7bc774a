//! The king's moves: single steps (G3) and castling (G8).

use super::{Scene, Sink, is_attacked};
use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::position::{BitsOf, Castling, Position, castling_path};
use crate::role::Role;
use crate::variant::VariantRules;

/// Steps to squares that no opponent attacks; the king itself shields none of them.
#[inline(always)]
pub(super) fn walk<V: VariantRules, const ME: usize, S: Sink<V>>(
    scene: &Scene<'_, V>,
    landing: BitsOf<V>,
    sink: &mut S,
) {
    let occupied = scene.occupied ^ BitsOf::<V>::single(scene.king);
    let mut safe = BitsOf::<V>::EMPTY;
    (V::Geometry::TABLES.king[usize::from(scene.king)] & landing).for_each(|to| {
        if !is_attacked(scene.position, ME, to, scene.enemies, occupied) {
            safe |= BitsOf::<V>::single(to);
        }
    });
    sink.piece::<ME>(Role::King, scene.king, safe);
}

/// Castling of a king that is not in check.
#[inline(always)]
pub(super) fn castle<V: VariantRules, const ME: usize, S: Sink<V>>(scene: &Scene<'_, V>, sink: &mut S) {
    for castling in Castling::BOTH {
        if let Some(rook) = scene.position.castling_rook(ME, castling)
            && (V::Geometry::between(scene.king, rook) & scene.occupied).is_empty()
            && let Some(to) = castling_target(scene.position, ME, castling)
        {
            sink.castling::<ME>(castling, scene.king, to);
        }
    }
}

/// Where a king that is not in check castles to, if it may.
#[inline(never)]
pub(super) fn castling_target<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    castling: Castling,
) -> Option<u8> {
    let rook = position.castling_rook(me, castling)?;
    let king = position.king(me);
    let occupied = position.occupied();
    if !(V::Geometry::between(king, rook) & occupied).is_empty() {
        return None;
    }
    let enemies = occupied & !position.colors[me];
    let (crossed, reached) = castling_path::<V>(king, rook);
    let single = BitsOf::<V>::single;
    let after = occupied ^ single(king) ^ single(rook) | single(crossed);
    let safe = !is_attacked(position, me, crossed, enemies, occupied)
        && !is_attacked(position, me, reached, enemies, occupied)
        && !is_attacked(position, me, reached, enemies, after);
    safe.then_some(reached)
}
