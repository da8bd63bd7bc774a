//! What the games of a contest come to.

use super::contest::{Contestant, Round};
use super::game::{Ending, Finished};
use super::statistics::{Mean, Rate};

/// The results of all rounds from A's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tally {
    pub games: usize,
    /// A's part of the first place, a shared one divided; by rounds, whose games share an opening.
    pub share: Mean,
    /// Games in which a seat of A is first alone.
    pub alone: Rate,
    /// The part of games whose first place is shared. A game is not played on when A is out of it, and then not shared.
    pub drawn: f64,
    /// The part of games that were cut off at the greatest length, which are drawn.
    pub cut: f64,
    /// The mean length.
    pub plies: f64,
}

impl Tally {
    pub(crate) fn of(rounds: &[Round]) -> Self {
        let games: Vec<_> = rounds.iter().flat_map(|round| &round.games).collect();
        let scores: Vec<f64> = rounds.iter().map(Round::score).collect();
        let is_alone = |(seating, finished): &(Vec<Contestant>, Finished)| {
            seating.iter().zip(&finished.shares).any(|(who, &share)| *who == Contestant::A && share == 1.0)
        };
        let part = |count: usize| count as f64 / games.len() as f64;
        Self {
            games: games.len(),
            share: Mean::of(&scores),
            alone: Rate::of(games.iter().filter(|game| is_alone(game)).count(), games.len()),
            drawn: part(games.iter().filter(|(_, finished)| finished.is_draw()).count()),
            cut: part(games.iter().filter(|(_, finished)| finished.ending == Ending::Cut).count()),
            plies: games.iter().map(|(_, finished)| finished.plies as f64).sum::<f64>() / games.len() as f64,
        }
    }
}
