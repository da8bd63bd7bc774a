//! Scores of the search, in centipawns. Scores of forced wins are above all evaluations, and scores
//! of forced losses are below all evaluations.

use crate::result::Score;

/// A value above all scores.
pub(super) const INFINITY: i32 = 32_000;

/// The score of a won position. The score of a win in n plies is lower by n.
pub(super) const WIN: i32 = 31_000;

/// The least score of a forced win. Static evaluations are below this score.
pub(super) const FORCED_WIN: i32 = 30_000;

/// The greatest score of a forced loss.
const FORCED_LOSS: i32 = -FORCED_WIN;

/// Converts a score for the transposition table. The search counts the plies of a win or loss from
/// the root, and the table counts them from the stored position. The stored position is `ply` plies
/// below the root.
pub(super) fn score_to_table(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED_WIN.. => score + ply,
        ..=FORCED_LOSS => score - ply,
        _ => score,
    }
}

/// Converts a score from the transposition table: the inverse of [`score_to_table`].
pub(super) fn score_from_table(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match score {
        FORCED_WIN.. => score - ply,
        ..=FORCED_LOSS => score + ply,
        _ => score,
    }
}

/// Converts a score to the form that is reported. The number of plies until a mate is converted to
/// the number of moves of the player to move. This player moves once in `players` plies.
pub(super) fn reported_score(score: i32, players: i32) -> Score {
    match score {
        FORCED_WIN.. => Score::Mate((WIN - score - 1) / players + 1),
        ..=FORCED_LOSS => Score::Mate(-((WIN + score) / players)),
        _ => Score::Centipawns(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_to_a_mate_are_reported_as_moves_of_the_player_to_move() {
        assert_eq!([1, 2, 3].map(|plies| reported_score(WIN - plies, 2)), [1, 1, 2].map(Score::Mate));
        assert_eq!([0, 1, 2, 4].map(|plies| reported_score(plies - WIN, 2)), [0, 0, -1, -2].map(Score::Mate));
        assert_eq!([1, 4, 5].map(|plies| reported_score(WIN - plies, 4)), [1, 1, 2].map(Score::Mate));
        assert_eq!(reported_score(-29_999, 2), Score::Centipawns(-29_999));
    }

    #[test]
    fn a_win_is_stored_by_its_distance_from_the_position() {
        let score = WIN - 7;
        assert_eq!(score_to_table(score, 3), WIN - 4);
        assert_eq!(score_from_table(score_to_table(score, 3), 5), WIN - 9);
        assert_eq!(score_from_table(score_to_table(-score, 3), 5), -(WIN - 9));
        assert_eq!(score_to_table(250, 3), 250);
    }
}
