//! The numbers of the terms of the cross boards. Each constant is the number of a term, or of the
//! first term of a group. Its comment says what the term counts.

/// The pieces except the king, by role.
pub(crate) const MATERIAL: usize = 0;
/// Piece-square terms: by role, then by ranks from the owner's baseline.
pub(crate) const RANK: usize = MATERIAL + 5;
pub(crate) const RANKS: usize = 14;
/// Piece-square terms: by role, then by files from the middle, as the owner sees them.
pub(crate) const FILE: usize = RANK + 6 * RANKS;
pub(crate) const FILES: usize = 7;
/// Attacked cells that no enemy pawn attacks, by knight, bishop, rook and queen.
pub(crate) const MOBILITY: usize = FILE + 6 * FILES;
/// Pawns protected by a pawn.
pub(crate) const PROTECTED_PAWN: usize = MOBILITY + 4;
pub(crate) const BISHOP_PAIR: usize = PROTECTED_PAWN + 1;
/// Own pieces that are attacked and not protected, by role.
pub(crate) const HANGING: usize = BISHOP_PAIR + 1;
/// Own pieces attacked by a less valuable piece, by role.
pub(crate) const THREATENED: usize = HANGING + 5;
/// The terms [`HANGING`] and [`THREATENED`] again, for the player to move.
pub(crate) const TO_MOVE_HANGING: usize = THREATENED + 5;
pub(crate) const TO_MOVE_THREATENED: usize = TO_MOVE_HANGING + 5;
/// The number of attack units against the own king, which measure the strength of the attack.
pub(crate) const KING_DANGER: usize = TO_MOVE_THREATENED + 5;
pub(crate) const MAX_UNITS: usize = 32;
/// The number of opponents that attack cells next to the own king.
pub(crate) const KING_ATTACKERS: usize = KING_DANGER + MAX_UNITS;
/// Own pawns next to the king.
pub(crate) const PAWN_SHIELD: usize = KING_ATTACKERS + 4;
/// 1 if the own king is attacked.
pub(crate) const IN_CHECK: usize = PAWN_SHIELD + 1;
/// The number of cells to which the own king could move. Three and more cells have the same term.
pub(crate) const KING_MOVES: usize = IN_CHECK + 1;
pub(crate) const MAX_KING_MOVES: usize = 3;
/// The number of players who move before the owner.
pub(crate) const TURN_ORDER: usize = KING_MOVES + MAX_KING_MOVES + 1;
/// The exposure of the king: the number of cells that a queen on the king's cell would attack,
/// without own pieces.
pub(crate) const KING_EXPOSURE: usize = TURN_ORDER + 4;
/// Cells next to the own king that own pawns, knights, bishops and rooks attack.
pub(crate) const KING_DEFENDERS: usize = KING_EXPOSURE + 1;
/// The bonus that each player left gets for each eliminated player. The bonus is the same for all
/// players, so it is not counted like the other terms but added with the mop-up bonus. Only the
/// end-game weight of this term is used.
pub(crate) const ELIMINATION: usize = KING_DEFENDERS + 1;
pub(crate) const COUNT: usize = ELIMINATION + 1;
/// The name and first term of every group.
pub(crate) const GROUPS: &[(&str, usize)] = &[
    ("MATERIAL, pawn", MATERIAL),
    ("MATERIAL, knight", MATERIAL + 1),
    ("MATERIAL, bishop", MATERIAL + 2),
    ("MATERIAL, rook", MATERIAL + 3),
    ("MATERIAL, queen", MATERIAL + 4),
    ("RANK, pawn", RANK),
    ("RANK, knight", RANK + RANKS),
    ("RANK, bishop", RANK + 2 * RANKS),
    ("RANK, rook", RANK + 3 * RANKS),
    ("RANK, queen", RANK + 4 * RANKS),
    ("RANK, king", RANK + 5 * RANKS),
    ("FILE, pawn", FILE),
    ("FILE, knight", FILE + FILES),
    ("FILE, bishop", FILE + 2 * FILES),
    ("FILE, rook", FILE + 3 * FILES),
    ("FILE, queen", FILE + 4 * FILES),
    ("FILE, king", FILE + 5 * FILES),
    ("MOBILITY, knight", MOBILITY),
    ("MOBILITY, bishop", MOBILITY + 1),
    ("MOBILITY, rook", MOBILITY + 2),
    ("MOBILITY, queen", MOBILITY + 3),
    ("PROTECTED_PAWN", PROTECTED_PAWN),
    ("BISHOP_PAIR", BISHOP_PAIR),
    ("HANGING", HANGING),
    ("THREATENED", THREATENED),
    ("TO_MOVE_HANGING", TO_MOVE_HANGING),
    ("TO_MOVE_THREATENED", TO_MOVE_THREATENED),
    ("KING_DANGER", KING_DANGER),
    ("KING_ATTACKERS", KING_ATTACKERS),
    ("PAWN_SHIELD", PAWN_SHIELD),
    ("IN_CHECK", IN_CHECK),
    ("KING_MOVES", KING_MOVES),
    ("TURN_ORDER", TURN_ORDER),
    ("KING_EXPOSURE", KING_EXPOSURE),
    ("KING_DEFENDERS", KING_DEFENDERS),
    ("ELIMINATION", ELIMINATION),
];
