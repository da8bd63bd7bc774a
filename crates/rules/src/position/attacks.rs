//! Attacked squares, checks and pins.

use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};

/// Returns the pieces among `by` that attack a cell, on a board where only the cells of `occupied`
/// are occupied. `by` has no piece of `mover`. A pinned piece attacks too (rule G6).
#[inline(always)]
pub(crate) fn attackers<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    cell: u8,
    by: BitsOf<V>,
    occupied: BitsOf<V>,
) -> BitsOf<V> {
    let mut attackers = leapers_and_pawns(position, mover, cell, by);
    let sliders = sliders(position, cell, by);
    for word in 0..BitsOf::<V>::WORDS {
        for slider in sliders.word(word) {
            if (V::Geometry::between(cell, slider) & occupied).is_empty() {
                attackers |= BitsOf::<V>::single(slider);
            }
        }
    }
    attackers
}

/// Returns whether a piece among `by` attacks a cell, on a board where only the cells of `occupied`
/// are occupied. `by` has no piece of `mover`.
#[inline(always)]
pub(crate) fn is_attacked<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    cell: u8,
    by: BitsOf<V>,
    occupied: BitsOf<V>,
) -> bool {
    if !leapers_and_pawns(position, mover, cell, by).is_empty() {
        return true;
    }
    let sliders = sliders(position, cell, by);
    for word in 0..BitsOf::<V>::WORDS {
        for slider in sliders.word(word) {
            if (V::Geometry::between(cell, slider) & occupied).is_empty() {
                return true;
            }
        }
    }
    false
}

/// Returns the enemies that check a king, and the own pieces that are pinned to this king.
#[inline(always)]
pub(crate) fn checkers_and_pinned<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    king: u8,
    own_pieces: BitsOf<V>,
    enemies: BitsOf<V>,
    occupied: BitsOf<V>,
) -> (BitsOf<V>, BitsOf<V>) {
    let mut checkers = leapers_and_pawns(position, mover, king, enemies);
    let mut pinned = BitsOf::<V>::EMPTY;
    let sliders = sliders(position, king, enemies);
    for word in 0..BitsOf::<V>::WORDS {
        for slider in sliders.word(word) {
            let between = V::Geometry::between(king, slider) & occupied;
            if between.is_empty() {
                checkers |= BitsOf::<V>::single(slider);
            } else if !between.has_two() {
                pinned |= between & own_pieces;
            }
        }
    }
    (checkers, pinned)
}

/// Returns the knights, kings and pawns among `by` that attack a cell.
#[inline(always)]
fn leapers_and_pawns<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    cell: u8,
    by: BitsOf<V>,
) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    let index = usize::from(cell);
    let mut pawns = BitsOf::<V>::EMPTY;
    for color in 0..V::COLORS.len() {
        if color != mover {
            let opposite_side = (side::<V>(color) as usize + 2) % 4;
            pawns |= tables.pawn[opposite_side][index] & position.colors[color];
        }
    }
    let knights = tables.knight[index] & position.role(Role::Knight);
    let kings = tables.king[index] & position.role(Role::King);
    (pawns & position.role(Role::Pawn) | knights | kings) & by
}

/// Returns the bishops, rooks and queens among `by` that would attack a cell on an empty board.
#[inline(always)]
fn sliders<V: VariantRules>(position: &Position<V>, cell: u8, by: BitsOf<V>) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    let queens = position.role(Role::Queen);
    let diagonal = tables.diagonal[usize::from(cell)] & (position.role(Role::Bishop) | queens);
    let orthogonal = tables.orthogonal[usize::from(cell)] & (position.role(Role::Rook) | queens);
    (diagonal | orthogonal) & by
}

/// Returns whether a pawn of `mover` may capture en passant. The pawn attacks `passed`, the square
/// that the enemy pawn skipped. The king of `mover` must not be attacked once both pawns have left
/// their squares (rule G6).
pub(crate) fn can_capture_en_passant<V: VariantRules>(
    position: &Position<V>,
    mover: usize,
    from: u8,
    passed: u8,
) -> bool {
    let single = BitsOf::<V>::single;
    let victim = single(V::Geometry::ahead(side::<V>(opposite::<V>(mover)), passed));
    let occupied = position.occupied();
    let enemies = occupied & !position.colors[mover] & !victim;
    let after = occupied ^ single(from) ^ victim | single(passed);
    !is_attacked(position, mover, position.king(mover), enemies, after)
}
