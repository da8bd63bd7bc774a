//! Attacked squares, checks and pins.

use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};

/// Returns the pieces among `by` (none of `me`) that attack a cell, for the given occupied cells.
///
/// A pinned piece attacks all the same (G6).
#[inline(always)]
pub(crate) fn attackers<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    cell: u8,
    by: BitsOf<V>,
    occupied: BitsOf<V>,
) -> BitsOf<V> {
    let mut attackers = leapers(position, me, cell, by);
    let snipers = snipers(position, cell, by);
    for word in 0..BitsOf::<V>::WORDS {
        for sniper in snipers.word(word) {
            if (V::Geometry::between(cell, sniper) & occupied).is_empty() {
                attackers |= BitsOf::<V>::single(sniper);
            }
        }
    }
    attackers
}

/// Returns whether any piece among `by` (none of `me`) attacks a cell, for the given occupied
/// cells.
#[inline(always)]
pub(crate) fn is_attacked<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    cell: u8,
    by: BitsOf<V>,
    occupied: BitsOf<V>,
) -> bool {
    if !leapers(position, me, cell, by).is_empty() {
        return true;
    }
    let snipers = snipers(position, cell, by);
    for word in 0..BitsOf::<V>::WORDS {
        for sniper in snipers.word(word) {
            if (V::Geometry::between(cell, sniper) & occupied).is_empty() {
                return true;
            }
        }
    }
    false
}

/// Returns the enemies that check a king, and the own pieces that keep another from checking it.
#[inline(always)]
pub(crate) fn checkers_and_pinned<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    king: u8,
    own: BitsOf<V>,
    enemies: BitsOf<V>,
    occupied: BitsOf<V>,
) -> (BitsOf<V>, BitsOf<V>) {
    let mut checkers = leapers(position, me, king, enemies);
    let mut pinned = BitsOf::<V>::EMPTY;
    let snipers = snipers(position, king, enemies);
    for word in 0..BitsOf::<V>::WORDS {
        for sniper in snipers.word(word) {
            let shields = V::Geometry::between(king, sniper) & occupied;
            if shields.is_empty() {
                checkers |= BitsOf::<V>::single(sniper);
            } else if !shields.has_two() {
                pinned |= shields & own;
            }
        }
    }
    (checkers, pinned)
}

/// Returns the knights, kings and pawns among `by` that attack a cell.
#[inline(always)]
fn leapers<V: VariantRules>(position: &Position<V>, me: usize, cell: u8, by: BitsOf<V>) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    let index = usize::from(cell);
    let mut pawns = BitsOf::<V>::EMPTY;
    for color in 0..V::COLORS.len() {
        if color != me {
            let back = (side::<V>(color) as usize + 2) % 4;
            pawns |= tables.pawn[back][index] & position.colors[color];
        }
    }
    let knights = tables.knight[index] & position.role(Role::Knight);
    let kings = tables.king[index] & position.role(Role::King);
    (pawns & position.role(Role::Pawn) | knights | kings) & by
}

/// Returns the bishops, rooks and queens among `by` that would attack a cell on an empty board.
#[inline(always)]
fn snipers<V: VariantRules>(position: &Position<V>, cell: u8, by: BitsOf<V>) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    let queens = position.role(Role::Queen);
    let diagonal = tables.diagonal[usize::from(cell)] & (position.role(Role::Bishop) | queens);
    let orthogonal = tables.orthogonal[usize::from(cell)] & (position.role(Role::Rook) | queens);
    (diagonal | orthogonal) & by
}

/// Returns whether a pawn of `me` that attacks the passed square may capture there: its king must
/// not be attacked once both pawns have left their squares (G6).
pub(crate) fn can_capture_passed<V: VariantRules>(
    position: &Position<V>,
    me: usize,
    from: u8,
    passed: u8,
) -> bool {
    let single = BitsOf::<V>::single;
    let victim = single(V::Geometry::ahead(side::<V>(opposite::<V>(me)), passed));
    let occupied = position.occupied();
    let enemies = occupied & !position.colors[me] & !victim;
    let after = occupied ^ single(from) ^ victim | single(passed);
    !is_attacked(position, me, position.king(me), enemies, after)
}
