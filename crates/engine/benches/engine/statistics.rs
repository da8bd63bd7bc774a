//! What figures say beyond chance.

/// Standard deviations to each side within which 95 of 100 values of a normal distribution lie.
const Z: f64 = 1.96;

/// A mean and the half width of the interval in which it lies with 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub value: f64,
    pub error: f64,
}

impl Mean {
    /// Of independent values. With fewer than two nothing is known of the error, which is infinite then.
    pub(crate) fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let variance = variance(values, value);
        Self { value, error: if values.len() < 2 { f64::INFINITY } else { Z * (variance / count).sqrt() } }
    }

    pub(crate) fn lower(self) -> f64 {
        self.value - self.error
    }

    pub(crate) fn upper(self) -> f64 {
        self.value + self.error
    }
}

/// Of a sample with this mean.
fn variance(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() as f64 - 1.0)
}

/// A rate, with the interval in which it lies with 95 % (E. B. Wilson, "Probable Inference", 1927).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    pub value: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Rate {
    /// Of `hits` among `count`.
    pub(crate) fn of(hits: usize, count: usize) -> Self {
        let (hits, count) = (hits as f64, count as f64);
        let value = hits / count;
        let shrink = 1.0 + Z * Z / count;
        let center = (value + Z * Z / (2.0 * count)) / shrink;
        let half = Z * (value * (1.0 - value) / count + Z * Z / (4.0 * count * count)).sqrt() / shrink;
        Self { value, lower: center - half, upper: center + half }
    }
}

/// The score expected of who is so many Elo better, of 1.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// How many Elo better who scores that is; infinite for 0 and 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The sequential probability ratio test of two differences in Elo, on the mean of the rounds' scores with its measured
/// variance: log likelihood ratio of the second to the first.
pub(crate) fn log_likelihood_ratio(scores: &[f64], elos: (f64, f64)) -> f64 {
    if scores.len() < 2 {
        return 0.0;
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    // A run of equal scores is not proof of no variance at all: one more round may differ by a whole game.
    let variance = variance(scores, mean).max(1.0 / count);
    let (first, second) = (expected_score(elos.0), expected_score(elos.1));
    count * (second - first) * (2.0 * mean - first - second) / (2.0 * variance)
}

/// Where the test ends, either way: 5 % of errors of both kinds.
pub(crate) const LLR_BOUND: f64 = 2.944;

/// The rating at which the expected number of points is the one scored, and its standard error; `None` if everything
/// was won or lost.
pub(crate) fn performance(results: &[(f64, Mean, usize)]) -> Option<Mean> {
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
    // The points' own spread, as measured; where nothing spread, that of games without draws.
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
