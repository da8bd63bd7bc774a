//! Weights by which the chance of each player is as near as can be to what came of it (logistic regression; of more
//! than two players multinomial).

use super::games::Sample;

/// The steps of Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).
const STEP: f32 = 1.0;
const KEPT: [f32; 2] = [0.9, 0.999];

/// How strongly weights are held where they were: what is seldom seen moves little.
const HOLD: f32 = 6e-7;

/// Each player's chance to come first.
fn chances(sample: &Sample, weights: &[[f32; 2]], scale: f32) -> [f32; 4] {
    let phase = sample.counted.phase;
    let mut values = [0.0_f32; 4];
    for &(player, term, count) in &sample.counted.terms {
        let [first, last] = weights[usize::from(term)];
        values[usize::from(player)] += f32::from(count) * (first * phase + last * (1.0 - phase));
    }
    let most =
        (0..4).filter(|&player| sample.is_in[player]).map(|player| values[player]).fold(f32::MIN, f32::max);
    let mut chances = [0.0; 4];
    for player in 0..4 {
        if sample.is_in[player] {
            chances[player] = ((values[player] - most) / scale).exp();
        }
    }
    let sum: f32 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}

/// How much what happened surprises who believes in these weights, on average (cross entropy).
fn surprise(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> f32 {
    let of = |sample: &Sample| -> f32 {
        let chances = chances(sample, weights, scale);
        (0..4)
            .filter(|&player| sample.shares[player] > 0.0)
            .map(|player| -sample.shares[player] * chances[player].max(1e-6).ln())
            .sum()
    };
    (samples.iter().map(|sample| f64::from(of(sample))).sum::<f64>() / samples.len() as f64) as f32
}

fn as_floats(weights: &[[i32; 2]]) -> Vec<[f32; 2]> {
    weights.iter().map(|weight| weight.map(|part| part as f32)).collect()
}

/// How many hundredths of a pawn multiply the odds by *e*, as the games have it.
pub(crate) fn scale(samples: &[Sample], weights: &[[i32; 2]]) -> f32 {
    let weights = as_floats(weights);
    let scales = (4..60).map(|step| 10.0 * step as f32);
    let scored = scales.map(|scale| (scale, surprise(samples, &weights, scale)));
    scored.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(200.0, |(scale, _)| scale)
}

/// The weights that explain the games best.
pub(crate) fn fit(samples: &[Sample], before: &[[i32; 2]], scale: f32, rounds: u32) -> Vec<[i32; 2]> {
    let start = as_floats(before);
    let mut weights = start.clone();
    let mut mean = vec![[0.0_f32; 2]; weights.len()];
    let mut square = vec![[0.0_f32; 2]; weights.len()];
    for round in 1..=rounds {
        let slope = slope(samples, &weights, scale);
        let grown = KEPT.map(|kept| 1.0 - kept.powi(round as i32));
        let step = STEP * (1.0 - 0.8 * round as f32 / rounds as f32);
        for term in 0..weights.len() {
            for part in 0..2 {
                let slope = slope[term][part] + HOLD * (weights[term][part] - start[term][part]);
                let (mean, square) = (&mut mean[term][part], &mut square[term][part]);
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * slope;
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * slope * slope;
                weights[term][part] -= step * (*mean / grown[0]) / ((*square / grown[1]).sqrt() + 1e-9);
            }
        }
        if round % 100 == 0 || round == 1 {
            eprintln!("round {round}: surprise {:.5}", surprise(samples, &weights, scale));
        }
    }
    weights.iter().map(|weight| weight.map(|part| part.round() as i32)).collect()
}

/// How the surprise changes with each weight.
fn slope(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> Vec<[f32; 2]> {
    let halves = samples.chunks(samples.len().div_ceil(2).max(1));
    let parts: Vec<Vec<[f64; 2]>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            halves.map(|half| scope.spawn(move || slope_of(half, weights, scale))).collect();
        threads.into_iter().map(|thread| thread.join().expect("sums do not panic")).collect()
    });
    let mut sum = vec![[0.0; 2]; weights.len()];
    for part in parts {
        for (all, one) in sum.iter_mut().zip(part) {
            all[0] += (one[0] / samples.len() as f64) as f32;
            all[1] += (one[1] / samples.len() as f64) as f32;
        }
    }
    sum
}

fn slope_of(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> Vec<[f64; 2]> {
    let mut sum = vec![[0.0; 2]; weights.len()];
    for sample in samples {
        let chances = chances(sample, weights, scale);
        let phase = sample.counted.phase;
        for &(player, term, count) in &sample.counted.terms {
            let player = usize::from(player);
            if sample.is_in[player] {
                let off = (chances[player] - sample.shares[player]) * f32::from(count) / scale;
                sum[usize::from(term)][0] += f64::from(off * phase);
                sum[usize::from(term)][1] += f64::from(off * (1.0 - phase));
            }
        }
    }
    sum
}
