//! The odds of one against several.

/// How many hundredths of a pawn multiply the odds of winning by *e*, with more than two players.
pub(crate) const SCALE: i32 = 240;

/// `SCALE * ln(1 + exp(-d / SCALE))` for d = 0, SCALE / 4, SCALE / 2, ...: what the weaker of two that differ by d adds.
const ADDED: [i32; 21] = [166, 138, 114, 93, 75, 60, 48, 38, 30, 24, 19, 15, 12, 9, 7, 6, 4, 3, 3, 2, 2];

/// What `mine` is worth against all the others together: the logarithm of my odds of winning, when each player's
/// chance grows by a factor *e* with each [`SCALE`] (Luce, "Individual choice behavior", 1959). Against one it is the
/// difference; each further opponent costs the more the stronger it is.
pub(crate) fn odds(mine: i32, others: impl Iterator<Item = i32>) -> i32 {
    others.reduce(together).map_or(mine, |theirs| mine - theirs)
}

/// The odds of each of so many who stand alike, in hundredths of a pawn: 0 of two, less of more.
pub(crate) fn even_odds(players: usize) -> i32 {
    odds(0, std::iter::repeat_n(0, players.saturating_sub(1)))
}

/// `SCALE * ln(exp(a / SCALE) + exp(b / SCALE))`.
fn together(a: i32, b: i32) -> i32 {
    let step = SCALE / 4;
    let apart = (a - b).abs();
    let place = (apart / step) as usize;
    let added = match (ADDED.get(place), ADDED.get(place + 1)) {
        (Some(&here), Some(&next)) => here + (next - here) * (apart % step) / step,
        _ => 0,
    };
    a.max(b) + added
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn against_one_it_is_the_difference() {
        assert_eq!(odds(100, [20].into_iter()), 80);
        assert_eq!(odds(70, std::iter::empty()), 70);
    }

    /// Against k who are as good the odds are 1 : k.
    #[test]
    fn among_equals_it_is_the_logarithm_of_their_number() {
        for others in 2..=3_u8 {
            let expected = -f64::from(SCALE) * f64::from(others).ln();
            let found = odds(500, std::iter::repeat_n(500, others.into()));
            assert!((f64::from(found) - expected).abs() < 3.0, "{found} and not {expected}");
        }
    }

    #[test]
    fn who_is_far_behind_hardly_counts() {
        assert_eq!(odds(0, [100, -2_000, -5_000].into_iter()), -100);
        assert!(odds(0, [100, 90].into_iter()) < odds(0, [100, -500].into_iter()));
    }
}
