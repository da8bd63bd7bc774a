//! Logistic regression of game results on evaluation terms; multinomial with more than two players.

use crate::self_play::Sample;

/// The step size of Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).
const STEP: f32 = 1.0;

/// Adam's decay rates of the two moments.
const DECAY: [f32; 2] = [0.9, 0.999];

/// The regularization toward the weights before the fit, so that rare terms change little.
const REGULARIZATION: f32 = 6e-7;

/// Returns each player's probability of the first place.
fn probabilities(sample: &Sample, weights: &[[f32; 2]], scale: f32) -> [f32; 4] {
    let phase = sample.terms.phase;
    let mut values = [0.0_f32; 4];
    for &(player, term, count) in &sample.terms.terms {
        let [first, last] = weights[usize::from(term)];
        values[usize::from(player)] += f32::from(count) * (first * phase + last * (1.0 - phase));
    }
    let best = (0..4)
        .filter(|&player| sample.is_playing[player])
        .map(|player| values[player])
        .fold(f32::MIN, f32::max);
    let mut probabilities = [0.0; 4];
    for player in 0..4 {
        if sample.is_playing[player] {
            probabilities[player] = ((values[player] - best) / scale).exp();
        }
    }
    let sum: f32 = probabilities.iter().sum();
    probabilities.map(|probability| probability / sum)
}

/// Returns the mean cross entropy of the results under these weights.
fn cross_entropy(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> f32 {
    let of_sample = |sample: &Sample| -> f32 {
        let probabilities = probabilities(sample, weights, scale);
        (0..4)
            .filter(|&player| sample.shares[player] > 0.0)
            .map(|player| -sample.shares[player] * probabilities[player].max(1e-6).ln())
            .sum()
    };
    (samples.iter().map(|sample| f64::from(of_sample(sample))).sum::<f64>() / samples.len() as f64) as f32
}

/// Returns weights as floating-point numbers.
fn as_floats(weights: &[[i32; 2]]) -> Vec<[f32; 2]> {
    weights.iter().map(|weight| weight.map(|part| part as f32)).collect()
}

/// Returns the number of centipawns that multiplies the odds by *e*. It is estimated from the
/// games.
pub(crate) fn scale(samples: &[Sample], weights: &[[i32; 2]]) -> f32 {
    let weights = as_floats(weights);
    let scales = (4..60).map(|step| 10.0 * step as f32);
    let scored = scales.map(|scale| (scale, cross_entropy(samples, &weights, scale)));
    scored.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(200.0, |(scale, _)| scale)
}

/// Returns the weights that fit the games best.
pub(crate) fn fit(samples: &[Sample], before: &[[i32; 2]], scale: f32, rounds: u32) -> Vec<[i32; 2]> {
    let start = as_floats(before);
    let mut weights = start.clone();
    let mut mean = vec![[0.0_f32; 2]; weights.len()];
    let mut square = vec![[0.0_f32; 2]; weights.len()];
    for round in 1..=rounds {
        let gradient = gradient(samples, &weights, scale);
        let correction = DECAY.map(|decay| 1.0 - decay.powi(round as i32));
        let step = STEP * (1.0 - 0.8 * round as f32 / rounds as f32);
        for term in 0..weights.len() {
            for part in 0..2 {
                let slope = gradient[term][part] + REGULARIZATION * (weights[term][part] - start[term][part]);
                let (mean, square) = (&mut mean[term][part], &mut square[term][part]);
                *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * slope;
                *square = DECAY[1] * *square + (1.0 - DECAY[1]) * slope * slope;
                weights[term][part] -=
                    step * (*mean / correction[0]) / ((*square / correction[1]).sqrt() + 1e-9);
            }
        }
        if round % 100 == 0 || round == 1 {
            eprintln!("round {round}: cross entropy {:.5}", cross_entropy(samples, &weights, scale));
        }
    }
    weights.iter().map(|weight| weight.map(|part| part.round() as i32)).collect()
}

/// Returns the gradient of the cross entropy.
fn gradient(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> Vec<[f32; 2]> {
    let halves = samples.chunks(samples.len().div_ceil(2).max(1));
    let parts: Vec<Vec<[f64; 2]>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            halves.map(|half| scope.spawn(move || gradient_of(half, weights, scale))).collect();
        threads.into_iter().map(|thread| thread.join().expect("sums do not panic")).collect()
    });
    let mut sum = vec![[0.0; 2]; weights.len()];
    for part in parts {
        for (total, part) in sum.iter_mut().zip(part) {
            total[0] += (part[0] / samples.len() as f64) as f32;
            total[1] += (part[1] / samples.len() as f64) as f32;
        }
    }
    sum
}

/// Returns the sum of the gradients of some samples.
fn gradient_of(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> Vec<[f64; 2]> {
    let mut sum = vec![[0.0; 2]; weights.len()];
    for sample in samples {
        let probabilities = probabilities(sample, weights, scale);
        let phase = sample.terms.phase;
        for &(player, term, count) in &sample.terms.terms {
            let player = usize::from(player);
            if sample.is_playing[player] {
                let error = (probabilities[player] - sample.shares[player]) * f32::from(count) / scale;
                sum[usize::from(term)][0] += f64::from(error * phase);
                sum[usize::from(term)][1] += f64::from(error * (1.0 - phase));
            }
        }
    }
    sum
}
