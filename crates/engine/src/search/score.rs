//! Scores inside a search.

use crate::report::Score;

/// More than any score.
pub(super) const INFINITY: i32 = 32_000;

/// A win on the spot; each ply until it costs one.
pub(super) const WIN: i32 = 31_000;

/// What no valuation reaches: from here on a win is forced.
pub(super) const FORCED: i32 = 30_000;

/// From here on down a loss is forced.
const LOST: i32 = -FORCED;

/// A win or loss counted from the root, as it is kept with a position `ply` plies below: counted from there.
pub(super) fn from_root(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED.. => score + ply,
        ..=LOST => score - ply,
        _ => score,
    }
}

/// The way back.
pub(super) fn to_root(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED.. => score - ply,
        ..=LOST => score + ply,
        _ => score,
    }
}

/// The score as it is told. Plies are made moves of the player to move: of `players` only one moves each ply.
pub(super) fn told(score: i32, players: i32) -> Score {
    match score {
        FORCED.. => Score::Mate((WIN - score - 1) / players + 1),
        ..=LOST => Score::Mate(-((WIN + score) / players)),
        _ => Score::Points(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_to_a_mate_are_told_as_moves_of_the_player_to_move() {
        assert_eq!([1, 2, 3].map(|plies| told(WIN - plies, 2)), [1, 1, 2].map(Score::Mate));
        assert_eq!([0, 1, 2, 4].map(|plies| told(plies - WIN, 2)), [0, 0, -1, -2].map(Score::Mate));
        assert_eq!([1, 4, 5].map(|plies| told(WIN - plies, 4)), [1, 1, 2].map(Score::Mate));
        assert_eq!(told(-29_999, 2), Score::Points(-29_999));
    }

    #[test]
    fn a_win_is_kept_by_its_distance_from_the_position() {
        let score = WIN - 7;
        assert_eq!(from_root(score, 3), WIN - 4);
        assert_eq!(to_root(from_root(score, 3), 5), WIN - 9);
        assert_eq!(to_root(from_root(-score, 3), 5), -(WIN - 9));
        assert_eq!(from_root(250, 3), 250);
    }
}
