//! Means, rates and ratings with their statistical errors.

/// The number of standard deviations on each side that contains 95 % of a normal distribution.
const Z: f64 = 1.96;

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Mean {
    /// Returns the mean of independent values. The error of fewer than two values is infinite.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let variance = variance(values, value);
        Self { value, error: if values.len() < 2 { f64::INFINITY } else { Z * (variance / count).sqrt() } }
    }

    /// Returns the lower end of the interval.
    #[must_use]
    pub fn lower(self) -> f64 {
        self.value - self.error
    }

    /// Returns the upper end of the interval.
    #[must_use]
    pub fn upper(self) -> f64 {
        self.value + self.error
    }
}

/// Returns the variance of a sample with this mean.
fn variance(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() as f64 - 1.0)
}

/// A rate with its 95 % confidence interval (E. B. Wilson, "Probable Inference", 1927).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The rate.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Rate {
    /// Returns the rate of `hits` among `count`.
    #[must_use]
    pub fn of(hits: usize, count: usize) -> Self {
        let (hits, count) = (hits as f64, count as f64);
        let value = hits / count;
        let shrink = 1.0 + Z * Z / count;
        let center = (value + Z * Z / (2.0 * count)) / shrink;
        let half = Z * (value * (1.0 - value) / count + Z * Z / (4.0 * count * count)).sqrt() / shrink;
        Self { value, lower: center - half, upper: center + half }
    }
}

/// Returns the expected score, from 0 to 1, of a player who is `elo` points stronger.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the Elo difference of an expected score; infinite for 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the log likelihood ratio of the second Elo difference to the first, for a sequential
/// probability ratio test. It is computed from the mean of the rounds' scores and the measured
/// variance of the mean.
#[must_use]
pub fn log_likelihood_ratio(scores: &[f64], elos: (f64, f64)) -> f64 {
    if scores.len() < 2 {
        return 0.0;
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    // The measured variance may be zero after equal scores. The next round can still differ by a
    // game.
    let variance = variance(scores, mean).max(1.0 / count);
    let (first, second) = (expected_score(elos.0), expected_score(elos.1));
    count * (second - first) * (2.0 * mean - first - second) / (2.0 * variance)
}

/// The absolute log likelihood ratio at which the test ends, with 5 % errors of both kinds.
pub const LLR_BOUND: f64 = 2.944;

/// Returns the rating for which the expected number of points equals the points scored, with its 95
/// % interval. `None` if all games were won or all were lost. A result is the opponent's rating,
/// the score, and the number of games.
#[must_use]
pub fn performance(results: &[(f64, Mean, usize)]) -> Option<Mean> {
    let difference = |rating: f64| -> f64 {
        let point = |&(elo, score, count): &(f64, Mean, usize)| {
            count as f64 * (score.value - expected_score(rating - elo))
        };
        results.iter().map(point).sum()
    };
    let (mut low, mut high) = (-10_000.0, 10_000.0);
    if difference(low) <= 1e-6 || difference(high) >= -1e-6 {
        return None;
    }
    while high - low > 0.01 {
        let middle = (low + high) / 2.0;
        if difference(middle) > 0.0 { low = middle } else { high = middle }
    }
    let slope: f64 = results
        .iter()
        .map(|&(elo, _, count)| {
            let score = expected_score(low - elo);
            count as f64 * score * (1.0 - score) * std::f64::consts::LN_10 / 400.0
        })
        .sum();
    // The measured variance of the points or, if that is zero, the variance of games without draws.
    let spread: f64 = results
        .iter()
        .map(|&(elo, score, count)| {
            let modelled = expected_score(low - elo);
            let measured = (score.error / Z).powi(2) * count as f64;
            let variance = if score.error.is_finite() && score.error > 0.0 {
                measured
            } else {
                modelled * (1.0 - modelled)
            };
            variance * count as f64
        })
        .sum();
    Some(Mean { value: low, error: Z * spread.sqrt() / slope })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 1e-3
    }

    #[test]
    fn a_mean_has_the_error_of_its_sample() {
        let mean = Mean::of(&[0.0, 1.0, 1.0, 0.0]);
        assert!(near(mean.value, 0.5) && near(mean.error, 1.96 * (1.0_f64 / 3.0 / 4.0).sqrt()), "{mean:?}");
        assert!(Mean::of(&[1.0]).error.is_infinite());
    }

    /// The intervals of 40 successes in 100 trials and of 0 in 10 are those of published tables.
    #[test]
    fn a_rate_has_wilsons_interval() {
        let rate = Rate::of(40, 100);
        assert!(near(rate.value, 0.4) && near(rate.lower, 0.3094) && near(rate.upper, 0.4980), "{rate:?}");
        let none = Rate::of(0, 10);
        assert!(near(none.lower, 0.0) && near(none.upper, 0.2775), "{none:?}");
    }

    #[test]
    fn elo_of_score_inverts_expected_score() {
        assert!(near(expected_score(0.0), 0.5) && near(expected_score(400.0), 10.0 / 11.0));
        assert!(near(elo_of_score(expected_score(123.0)), 123.0));
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_ratio_grows_with_the_score_and_with_the_rounds() {
        let rounds = |good: usize, bad: usize| [vec![1.0; good], vec![0.0; bad]].concat();
        let ratio = |good, bad| log_likelihood_ratio(&rounds(good, bad), (0.0, 20.0));
        assert!(ratio(60, 40) > 0.0 && ratio(40, 60) < 0.0);
        assert!(ratio(600, 400) > LLR_BOUND && ratio(400, 600) < -LLR_BOUND);
        assert!(ratio(600, 400) > ratio(60, 40));
        assert!(log_likelihood_ratio(&[1.0; 5], (0.0, 20.0)) < LLR_BOUND, "five wins prove nothing");
        assert_eq!(log_likelihood_ratio(&[1.0], (0.0, 20.0)), 0.0);
    }

    #[test]
    fn the_performance_is_the_rating_that_expects_the_points() {
        let score = |value| Mean { value, error: 0.1 };
        let even = performance(&[(2000.0, score(0.5), 40)]).unwrap();
        assert!((even.value - 2000.0).abs() < 0.1, "{even:?}");
        assert!((even.error - 0.1 / (0.25 * std::f64::consts::LN_10 / 400.0)).abs() < 0.5, "{even:?}");
        let between = performance(&[(1900.0, score(0.6), 40), (2100.0, score(0.4), 40)]).unwrap();
        assert!((between.value - 2000.0).abs() < 0.1, "{between:?}");
        assert_eq!(performance(&[(1900.0, score(1.0), 40)]), None);
        assert_eq!(performance(&[(1900.0, score(0.0), 40)]), None);
    }
}
