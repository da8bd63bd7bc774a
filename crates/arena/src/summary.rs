//! The figures of a contest.

use crate::contest::{Contestant, Round};
use crate::game::{Ending, GameResult};
use crate::statistics::{Mean, Rate};

/// The results of all rounds from A's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of games.
    pub games: usize,
    /// A's share of the first place. Rounds are the samples, because the games of one round have
    /// the same opening.
    pub share: Mean,
    /// The rate of games in which a seat of A is the sole winner.
    pub sole_wins: Rate,
    /// The fraction of games with a shared first place. A game in which all of A's players are
    /// eliminated ends there and counts as not shared.
    pub drawn: f64,
    /// The fraction of games that reached the maximum length, which are draws.
    pub max_length: f64,
    /// The mean length.
    pub plies: f64,
}

impl Summary {
    /// Returns the summary of some rounds.
    #[must_use]
    pub fn of(rounds: &[Round]) -> Self {
        let games: Vec<_> = rounds.iter().flat_map(|round| &round.games).collect();
        let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
        let is_sole_win = |(seating, result): &(Vec<Contestant>, GameResult)| {
            let mut seats = seating.iter().zip(&result.shares);
            seats.any(|(contestant, &share)| *contestant == Contestant::A && share == 1.0)
        };
        let fraction = |count: usize| count as f64 / games.len() as f64;
        let is_long = |result: &GameResult| result.ending == Ending::MaxPlies;
        Self {
            games: games.len(),
            share: Mean::of(&scores),
            sole_wins: Rate::of(games.iter().filter(|game| is_sole_win(game)).count(), games.len()),
            drawn: fraction(games.iter().filter(|(_, result)| result.is_draw()).count()),
            max_length: fraction(games.iter().filter(|(_, result)| is_long(result)).count()),
            plies: games.iter().map(|(_, result)| result.plies as f64).sum::<f64>() / games.len() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::Reason;

    use super::*;
    use crate::contest::Contestant::{A, B};

    #[test]
    fn sole_wins_draws_and_games_of_maximum_length_are_counted() {
        let game = |seating: [Contestant; 4], shares: [f64; 4], ending| {
            (seating.to_vec(), GameResult { shares: shares.to_vec(), ending, plies: 10 })
        };
        let summary = Summary::of(&[
            Round {
                games: vec![
                    game([A, B, B, B], [1.0, 0.0, 0.0, 0.0], Ending::Over(Reason::Mate)),
                    game([B, A, B, B], [1.0, 0.0, 0.0, 0.0], Ending::Over(Reason::Mate)),
                ],
            },
            Round {
                games: vec![
                    game([B, B, A, B], [0.0, 0.0, 0.5, 0.5], Ending::Over(Reason::Stalemate)),
                    game([B, B, B, A], [0.0, 0.5, 0.5, 0.0], Ending::MaxPlies),
                ],
            },
        ]);
        assert_eq!((summary.games, summary.share.value, summary.sole_wins.value), (4, 0.375, 0.25));
        assert_eq!((summary.drawn, summary.max_length, summary.plies), (0.5, 0.25, 10.0));
        assert!(summary.share.error.is_finite());
    }
}
