//! What a position is worth to one player.

use quadrex_rules::{AnyPosition, Color, Role, Side, Verdict};

/// Points for winning at once; a win some plies away is worth that many points less.
pub(crate) const WIN: i32 = 1_000_000;

/// What each opponent's being out is worth, beyond its pieces.
const OPPONENT_OUT: i32 = 300;

/// Points for a legal move of the player to move.
const MOBILITY: i32 = 2;

/// What a piece is worth, in hundredths of a pawn. The king is never captured (G5).
pub(crate) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// The worth of a game that is over, `ply` plies from now, or of being out of one that goes on.
///
/// A stalemate draws the whole game (C4, D9), however many play: it is worth as much as an even position, so it
/// is sought by who stands worse and shunned by who stands better.
pub(crate) fn settled(position: &AnyPosition, has_moves: bool, me: Color, ply: i32) -> Option<i32> {
    if !position.is_in(me) {
        return Some(ply - WIN);
    }
    if position.players_in().count() == 1 {
        return Some(WIN - ply);
    }
    if position.is_dead() {
        return Some(0);
    }
    if has_moves {
        return None;
    }
    Some(match position.verdict() {
        Verdict::Mated if position.turn() == me => ply - WIN,
        Verdict::Mated => WIN - ply,
        Verdict::Stalemated | Verdict::Plays => 0,
    })
}

/// Material, progress and mobility of `me` against the average of the others; a player who is out counts as one
/// that has nothing. The player to move has `mobility` legal moves.
pub(crate) fn evaluate(position: &AnyPosition, mobility: usize, me: Color) -> i32 {
    let colors = position.variant().colors();
    let others = i32::try_from(colors.len() - 1).unwrap_or(1);
    let weigh = |color: Color, points: i32| if color == me { points * others } else { -points };
    let mut sum = 0;
    for (square, piece) in position.pieces() {
        let shape = position.variant().board();
        let rows = match piece.color.side() {
            Side::South => square.rank(),
            Side::West => square.file(),
            Side::North => shape.ranks - 1 - square.rank(),
            Side::East => shape.files - 1 - square.file(),
        };
        sum += weigh(piece.color, value(piece.role) + progress(piece.role, i32::from(rows)));
    }
    sum += weigh(position.turn(), MOBILITY * i32::try_from(mobility).unwrap_or(0));
    for &color in colors {
        sum += if position.is_in(color) { 0 } else { weigh(color, -OPPONENT_OUT) };
    }
    sum / others
}

/// Points for having come so many rows from home: pawns are to promote, the minor pieces to come out.
const fn progress(role: Role, rows: i32) -> i32 {
    match role {
        Role::Pawn => 4 * rows,
        Role::Knight | Role::Bishop if rows > 0 => 12,
        _ => 0,
    }
}
