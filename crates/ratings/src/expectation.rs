//! The expected result of a match.

use skillratings::{glicko2, weng_lin};

use crate::Rating;
use crate::systems::{glicko2_rating, weng_lin_rating};

/// Returns the expected final place of each player, in the same order: 1.0 for a player who is
/// certain to win. The expected places are the averages over many such matches, so equal players
/// all expect the place in the middle.
#[must_use]
pub fn expected_places(players: &[Rating]) -> Vec<f64> {
    let expected = |(number, player): (usize, &Rating)| {
        let others = players.iter().enumerate().filter(|(other, _)| *other != number);
        1.0 + others.map(|(_, other)| 1.0 - score(*player, *other, players.len())).sum::<f64>()
    };
    players.iter().enumerate().map(expected).collect()
}

/// Returns the probability that a player comes before another one in a match of so many players.
fn score(player: Rating, other: Rating, players: usize) -> f64 {
    if players == 2 {
        glicko2::expected_score(&glicko2_rating(player), &glicko2_rating(other)).0
    } else {
        let (player, other) = (weng_lin_rating(player), weng_lin_rating(other));
        weng_lin::expected_score(&player, &other, &weng_lin::WengLinConfig::new()).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(value: f64) -> Rating {
        Rating { value, deviation: 60.0, ..Rating::INITIAL }
    }

    #[test]
    fn equal_players_expect_the_place_in_the_middle() {
        for place in expected_places(&[rated(1500.0); 4]) {
            assert!((place - 2.5).abs() < 1e-9, "{place}");
        }
        for place in expected_places(&[rated(1500.0); 2]) {
            assert!((place - 1.5).abs() < 1e-9, "{place}");
        }
    }

    #[test]
    fn stronger_players_expect_better_places() {
        let places = expected_places(&[2000.0, 1800.0, 1500.0, 1200.0].map(rated));
        assert!(places.is_sorted(), "{places:?}");
        assert!(places[0] < 1.5 && places[3] > 3.5, "{places:?}");
        assert!((places.iter().sum::<f64>() - 10.0).abs() < 1e-9, "{places:?}");
    }
}
