//! The two rating systems, on one scale.

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::Rating;

/// The number of points of our scale in one point of Weng and Lin's scale. There, players begin at 25
/// with an uncertainty of 25/3, which is 350 on our scale.
const POINTS: f64 = 42.0;

/// The value with which players begin on Weng and Lin's scale.
const START: f64 = 25.0;

/// The value with which players begin on our scale.
const OUR_START: f64 = 1500.0;

/// A player of a match that has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The rating before the match, with the uncertainty that has grown since the last one.
    pub rating: Rating,
    /// The final place: 1 for the winner. Players who share a place have drawn with each other.
    pub place: u8,
}

/// Returns the ratings of these players after the match, in the same order. The ratings of fewer
/// than two players do not change.
#[must_use]
pub fn rate(players: &[Placed]) -> Vec<Rating> {
    match players {
        [] | [_] => players.iter().map(|player| player.rating).collect(),
        [one, two] => rate_two(one, two).into(),
        _ => rate_many(players),
    }
}

fn rate_two(one: &Placed, two: &Placed) -> [Rating; 2] {
    let result = match one.place.cmp(&two.place) {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    };
    let (one, two) =
        glicko2(&glicko2_rating(one.rating), &glicko2_rating(two.rating), &result, &Glicko2Config::new());
    [one, two].map(|after| {
        let Glicko2Rating { rating, deviation, volatility } = after;
        Rating { value: rating, deviation, volatility }.limited()
    })
}

fn rate_many(players: &[Placed]) -> Vec<Rating> {
    let teams: Vec<[WengLinRating; 1]> =
        players.iter().map(|player| [weng_lin_rating(player.rating)]).collect();
    let results: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams
        .iter()
        .zip(players)
        .map(|(team, player)| (team.as_slice(), MultiTeamOutcome::new(player.place.into())))
        .collect();
    let after = weng_lin_multi_team(&results, &WengLinConfig::new());
    let rating = |(player, team): (&Placed, &Vec<WengLinRating>)| {
        team.first().map_or(player.rating, |after| {
            let value = OUR_START + (after.rating - START) * POINTS;
            Rating { value, deviation: after.uncertainty * POINTS, ..player.rating }.limited()
        })
    };
    players.iter().zip(&after).map(rating).collect()
}

pub(crate) fn glicko2_rating(rating: Rating) -> Glicko2Rating {
    Glicko2Rating { rating: rating.value, deviation: rating.deviation, volatility: rating.volatility }
}

pub(crate) fn weng_lin_rating(rating: Rating) -> WengLinRating {
    WengLinRating {
        rating: START + (rating.value - OUR_START) / POINTS,
        uncertainty: rating.deviation / POINTS,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rating::MIN_DEVIATION;

    fn placed(value: f64, deviation: f64, place: u8) -> Placed {
        Placed { rating: Rating { value, deviation, ..Rating::INITIAL }, place }
    }

    /// The player of the example in Glickman's description of Glicko-2, against the first opponent.
    #[test]
    fn two_players_are_rated_with_glicko_2() {
        let after = rate(&[placed(1500.0, 200.0, 1), placed(1400.0, 30.0, 2)]);
        // Computed by hand from the formulas, with g = 0.9955, E = 0.6395 and v = 4.377.
        assert!((after[0].value - 1563.56).abs() < 0.05, "{after:?}");
        assert!((after[0].deviation - 175.40).abs() < 0.05, "{after:?}");
    }

    #[test]
    fn equal_players_who_draw_keep_their_values() {
        for count in [2, 4] {
            let players = vec![placed(1600.0, 80.0, 1); count];
            for after in rate(&players) {
                assert!((after.value - 1600.0).abs() < 1e-9, "{after:?}");
            }
        }
    }

    #[test]
    fn a_shared_place_is_a_draw() {
        let after = rate(&[1, 2, 2, 4].map(|place| placed(1500.0, 100.0, place)));
        assert!((after[0].value + after[3].value - 3000.0).abs() < 1e-9, "{after:?}");
        assert!((after[1].value - 1500.0).abs() < 1e-9 && after[1] == after[2], "{after:?}");
    }

    #[test]
    fn one_player_alone_is_not_rated() {
        assert_eq!(
            rate(&[placed(1700.0, 90.0, 1)]),
            [Rating { value: 1700.0, deviation: 90.0, ..Rating::INITIAL }]
        );
        assert_eq!(rate(&[]), []);
    }

    proptest! {
        /// The order of the players in the list does not matter, the deviation stays inside its limits,
        /// and a better place is never worse for the rating.
        #[test]
        fn ratings_follow_places(
            players in prop::collection::vec((800.0_f64..2_800.0, 60.0_f64..350.0, 1_u8..=4), 2..=4),
            better in 0_usize..4,
        ) {
            let players: Vec<Placed> = players.into_iter().map(|(v, d, place)| placed(v, d, place)).collect();
            let after = rate(&players);
            prop_assert!(after.iter().all(|it| it.value.is_finite()));
            prop_assert!(after.iter().all(|it| (MIN_DEVIATION..=350.0).contains(&it.deviation)));
            let mut reversed: Vec<Placed> = players.clone();
            reversed.reverse();
            for (one, other) in after.iter().zip(rate(&reversed).iter().rev()) {
                prop_assert!((one.value - other.value).abs() < 1e-6, "{one:?} {other:?}");
            }
            let better = better % players.len();
            let mut improved = players.clone();
            improved[better].place = improved[better].place.saturating_sub(1);
            prop_assert!(rate(&improved)[better].value >= after[better].value - 1e-9);
        }
    }
}
