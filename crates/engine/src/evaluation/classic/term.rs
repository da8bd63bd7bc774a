//! The numbers of the terms of the 8 x 8 board. Each constant is the number of a term, or of the
//! first term of a group. Its comment says what the term counts.

/// The pieces except the king, by role.
pub(crate) const MATERIAL: usize = 0;
/// Piece-square terms, 32 for each role: by role, by the rank from the own side, and by the
/// file's distance from the edge.
pub(crate) const PIECE_SQUARE: usize = MATERIAL + 5;
/// A knight, by the number of the squares it attacks that no enemy pawn attacks. The next terms are
/// the same for bishops, rooks and queens.
pub(crate) const KNIGHT_MOBILITY: usize = PIECE_SQUARE + 6 * 32;
pub(crate) const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
pub(crate) const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
pub(crate) const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
pub(crate) const BISHOP_PAIR: usize = QUEEN_MOBILITY + 28;
pub(crate) const DOUBLED: usize = BISHOP_PAIR + 1;
pub(crate) const ISOLATED: usize = DOUBLED + 1;
pub(crate) const BACKWARD: usize = ISOLATED + 1;
/// A pawn that is protected by another pawn or stands beside another pawn, by rank.
pub(crate) const CONNECTED: usize = BACKWARD + 1;
/// A passed pawn, by rank. No enemy pawn can stop or capture a passed pawn.
pub(crate) const PASSED: usize = CONNECTED + 8;
/// A passed pawn with a piece in front of it, by rank.
pub(crate) const PASSED_BLOCKED: usize = PASSED + 8;
/// The distances of a passed pawn from the own king and from the enemy king, by distance.
pub(crate) const PASSED_OWN_KING: usize = PASSED_BLOCKED + 8;
pub(crate) const PASSED_ENEMY_KING: usize = PASSED_OWN_KING + 8;
pub(crate) const ROOK_OPEN_FILE: usize = PASSED_ENEMY_KING + 8;
pub(crate) const ROOK_HALF_OPEN_FILE: usize = ROOK_OPEN_FILE + 1;
pub(crate) const KNIGHT_OUTPOST: usize = ROOK_HALF_OPEN_FILE + 1;
pub(crate) const BISHOP_OUTPOST: usize = KNIGHT_OUTPOST + 1;
/// Enemy pieces that a pawn attacks, by role. The next terms are for pieces that minor pieces
/// attack, and for pieces that rooks attack.
pub(crate) const PAWN_THREAT: usize = BISHOP_OUTPOST + 1;
pub(crate) const MINOR_THREAT: usize = PAWN_THREAT + 6;
pub(crate) const ROOK_THREAT: usize = MINOR_THREAT + 6;
/// Enemy pieces that are attacked and not protected.
pub(crate) const HANGING: usize = ROOK_THREAT + 6;
/// The number of attack units against the enemy king, which measure the strength of the attack.
pub(crate) const KING_ATTACK: usize = HANGING + 1;
pub(crate) const MAX_UNITS: usize = 40;
/// Pawns in front of the own king on three files: one term for pawns one rank ahead of the
/// king, and one for pawns two ranks ahead.
pub(crate) const PAWN_SHIELD: usize = KING_ATTACK + MAX_UNITS;
/// Files without an own pawn, among the king's file and the files beside it.
pub(crate) const KING_OPEN_FILE: usize = PAWN_SHIELD + 2;
pub(crate) const TEMPO: usize = KING_OPEN_FILE + 1;
pub(crate) const COUNT: usize = TEMPO + 1;
/// The name and first term of every group.
pub(crate) const GROUPS: &[(&str, usize)] = &[
    ("MATERIAL", MATERIAL),
    ("PIECE_SQUARE", PIECE_SQUARE),
    ("KNIGHT_MOBILITY", KNIGHT_MOBILITY),
    ("BISHOP_MOBILITY", BISHOP_MOBILITY),
    ("ROOK_MOBILITY", ROOK_MOBILITY),
    ("QUEEN_MOBILITY", QUEEN_MOBILITY),
    ("BISHOP_PAIR", BISHOP_PAIR),
    ("DOUBLED", DOUBLED),
    ("ISOLATED", ISOLATED),
    ("BACKWARD", BACKWARD),
    ("CONNECTED", CONNECTED),
    ("PASSED", PASSED),
    ("PASSED_BLOCKED", PASSED_BLOCKED),
    ("PASSED_OWN_KING", PASSED_OWN_KING),
    ("PASSED_ENEMY_KING", PASSED_ENEMY_KING),
    ("ROOK_OPEN_FILE", ROOK_OPEN_FILE),
    ("ROOK_HALF_OPEN_FILE", ROOK_HALF_OPEN_FILE),
    ("KNIGHT_OUTPOST", KNIGHT_OUTPOST),
    ("BISHOP_OUTPOST", BISHOP_OUTPOST),
    ("PAWN_THREAT", PAWN_THREAT),
    ("MINOR_THREAT", MINOR_THREAT),
    ("ROOK_THREAT", ROOK_THREAT),
    ("HANGING", HANGING),
    ("KING_ATTACK", KING_ATTACK),
    ("PAWN_SHIELD", PAWN_SHIELD),
    ("KING_OPEN_FILE", KING_OPEN_FILE),
    ("TEMPO", TEMPO),
];
