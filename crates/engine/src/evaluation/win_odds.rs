//! The odds of one player against several.

/// The number of centipawns that multiplies the odds of winning by *e*, with more than two players.
pub(crate) const ODDS_SCALE: i32 = 240;

/// The values of `ODDS_SCALE * ln(1 + exp(-d / ODDS_SCALE))` for d = 0, `ODDS_SCALE` / 4,
/// `ODDS_SCALE` / 2, ... If the values of two players differ by d, the weaker player adds this
/// amount to the value of the stronger player.
const LOG_SUM: [i32; 21] = [166, 138, 114, 93, 75, 60, 48, 38, 30, 24, 19, 15, 12, 9, 7, 6, 4, 3, 3, 2, 2];

/// Returns the logarithm of the odds that a player of value `mine` wins against all other players,
/// in centipawns.
///
/// A player's chance grows by the factor *e* with each [`ODDS_SCALE`] of its value (Luce,
/// "Individual choice behavior", 1959). Against one opponent the result is the difference of the
/// values. Each further opponent reduces the result, and a strong opponent reduces it more than a
/// weak opponent.
pub(crate) fn log_odds(mine: i32, others: impl Iterator<Item = i32>) -> i32 {
    others.reduce(log_sum).map_or(mine, |theirs| mine - theirs)
}

/// Returns the logarithm of the odds of each of `players` equal players, in centipawns. For two
/// players the result is 0, and for more players it is negative.
pub(crate) fn even_score(players: usize) -> i32 {
    log_odds(0, std::iter::repeat_n(0, players.saturating_sub(1)))
}

/// Returns `ODDS_SCALE * ln(exp(a / ODDS_SCALE) + exp(b / ODDS_SCALE))`, interpolated.
fn log_sum(a: i32, b: i32) -> i32 {
    let step = ODDS_SCALE / 4;
    let difference = (a - b).abs();
    let index = (difference / step) as usize;
    let added = match (LOG_SUM.get(index), LOG_SUM.get(index + 1)) {
        (Some(&here), Some(&next)) => here + (next - here) * (difference % step) / step,
        _ => 0,
    };
    a.max(b) + added
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn against_one_it_is_the_difference() {
        assert_eq!(log_odds(100, [20].into_iter()), 80);
        assert_eq!(log_odds(70, std::iter::empty()), 70);
    }

    /// Against k equal players the odds are 1 : k.
    #[test]
    fn among_equals_it_is_the_logarithm_of_their_number() {
        for others in 2..=3_u8 {
            let expected = -f64::from(ODDS_SCALE) * f64::from(others).ln();
            let found = log_odds(500, std::iter::repeat_n(500, others.into()));
            assert!((f64::from(found) - expected).abs() < 3.0, "{found} and not {expected}");
        }
    }

    #[test]
    fn a_player_far_behind_hardly_counts() {
        assert_eq!(log_odds(0, [100, -2_000, -5_000].into_iter()), -100);
        assert!(log_odds(0, [100, 90].into_iter()) < log_odds(0, [100, -500].into_iter()));
    }
}
