//! Scores inside a search, in centipawns, with wins and losses beyond all evaluations.

use crate::result::Score;

/// More than any score.
pub(super) const INFINITY: i32 = 32_000;

/// The score of a won position; each ply until the win costs one point.
pub(super) const WIN: i32 = 31_000;

/// The least score of a forced win; static evaluations stay below.
pub(super) const FORCED: i32 = 30_000;

/// The greatest score of a forced loss.
const LOST: i32 = -FORCED;

/// Converts a win or loss counted from the root to one counted from a position `ply` plies below,
/// as it is stored.
pub(super) fn from_root(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED.. => score + ply,
        ..=LOST => score - ply,
        _ => score,
    }
}

/// The inverse of [`from_root`].
pub(super) fn to_root(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED.. => score - ply,
        ..=LOST => score + ply,
        _ => score,
    }
}

/// Returns the score that is reported. Plies are converted to moves of the player to move, one in
/// `players` plies.
pub(super) fn reported(score: i32, players: i32) -> Score {
    match score {
        FORCED.. => Score::Mate((WIN - score - 1) / players + 1),
        ..=LOST => Score::Mate(-((WIN + score) / players)),
        _ => Score::Centipawns(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_to_a_mate_are_reported_as_moves_of_the_player_to_move() {
        assert_eq!([1, 2, 3].map(|plies| reported(WIN - plies, 2)), [1, 1, 2].map(Score::Mate));
        assert_eq!([0, 1, 2, 4].map(|plies| reported(plies - WIN, 2)), [0, 0, -1, -2].map(Score::Mate));
        assert_eq!([1, 4, 5].map(|plies| reported(WIN - plies, 4)), [1, 1, 2].map(Score::Mate));
        assert_eq!(reported(-29_999, 2), Score::Centipawns(-29_999));
    }

    #[test]
    fn a_win_is_stored_by_its_distance_from_the_position() {
        let score = WIN - 7;
        assert_eq!(from_root(score, 3), WIN - 4);
        assert_eq!(to_root(from_root(score, 3), 5), WIN - 9);
        assert_eq!(to_root(from_root(-score, 3), 5), -(WIN - 9));
        assert_eq!(from_root(250, 3), 250);
    }
}
