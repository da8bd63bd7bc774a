//! Parsing of an engine's search output.

use quadrex_rules::{Color, Move};

use crate::draw_policy::MATE;
use crate::lines::after_word;

/// An engine's best move and its score for the player to move, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move, which is legal.
    pub mv: Move,
    /// The score, if the engine has reported one.
    pub score: Option<i32>,
}

/// Returns the score for `color`, the player to move, from an `info` line about the best move.
///
/// With four players, `score` is the score of one player against three. If the engine reports a
/// score for each player (`seats`), the player's own score is returned instead.
pub(crate) fn score(line: &str, color: Color) -> Option<i32> {
    let words: Vec<&str> = after_word(line, "info")?.split_whitespace().collect();
    let after = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1..)
    };
    if after("multipv").is_some_and(|rest| rest.first() != Some(&"1")) {
        return None;
    }
    let [kind, number, ..] = after("score")? else { return None };
    let number: i32 = number.parse().ok()?;
    match *kind {
        "cp" => Some(seat(after("seats").unwrap_or_default(), color).unwrap_or(number)),
        "mate" if number > 0 => Some(MATE),
        "mate" => Some(-MATE),
        _ => None,
    }
}

/// Returns a player's own score from `r 12 b -3 ...`.
fn seat(words: &[&str], color: Color) -> Option<i32> {
    let (pairs, _) = words.as_chunks::<2>();
    let letter = color.letter().to_string();
    pairs.iter().find(|[of, _]| *of == letter).and_then(|[_, number]| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_parsed_from_info_lines() {
        let white_score = |line| score(line, Color::White);
        assert_eq!(white_score("info depth 3 score cp -25 nodes 7 pv e2e4"), Some(-25));
        assert_eq!(white_score("info depth 3 score mate 2 pv e2e4"), Some(MATE));
        assert_eq!(white_score("info depth 3 score mate -1"), Some(-MATE));
        assert_eq!(white_score("info depth 3 multipv 1 score cp 7"), Some(7));
        for other in [
            "info depth 3",
            "info score cp",
            "info score cp x",
            "bestmove e2e4",
            "score cp 5",
            "info depth 3 multipv 2 score cp 7",
            "",
        ] {
            assert_eq!(white_score(other), None, "{other}");
        }
    }

    #[test]
    fn with_four_players_the_own_seat_score_counts() {
        let line = "info depth 2 score cp -250 seats r -12 b 3 y 4 g 5 nodes 7 pv h2h4";
        assert_eq!(score(line, Color::Red), Some(-12));
        assert_eq!(score(line, Color::Green), Some(5));
        assert_eq!(score("info score cp -250 seats b 3 nodes 7", Color::Red), Some(-250));
        assert_eq!(score("info score mate 2 seats r 0", Color::Red), Some(MATE));
    }
}
