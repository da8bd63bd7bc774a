//! Intervals, Elo and the sequential test.

use crate::engine::statistics::{
    LLR_BOUND, Mean, Rate, elo_of_score, expected_score, log_likelihood_ratio, performance,
};

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-3
}

#[test]
fn the_mean_has_the_error_of_its_sample() {
    let mean = Mean::of(&[0.0, 1.0, 1.0, 0.0]);
    assert!(near(mean.value, 0.5) && near(mean.error, 1.96 * (1.0_f64 / 3.0 / 4.0).sqrt()), "{mean:?}");
    assert!(Mean::of(&[1.0]).error.is_infinite());
}

/// Wilson's interval of 40 among 100, and of none among 10, as tables give it.
#[test]
fn a_rate_has_wilson_s_interval() {
    let rate = Rate::of(40, 100);
    assert!(near(rate.value, 0.4) && near(rate.lower, 0.3094) && near(rate.upper, 0.4980), "{rate:?}");
    let none = Rate::of(0, 10);
    assert!(near(none.lower, 0.0) && near(none.upper, 0.2775), "{none:?}");
}

#[test]
fn elo_and_score_are_inverse() {
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
    assert!(log_likelihood_ratio(&[1.0; 5], (0.0, 20.0)) < LLR_BOUND, "five wins prove little");
    assert_eq!(log_likelihood_ratio(&[1.0], (0.0, 20.0)), 0.0);
}

#[test]
fn the_rating_is_where_the_points_are_expected() {
    let score = |value| Mean { value, error: 0.1 };
    let even = performance(&[(2000.0, score(0.5), 40)]).unwrap();
    assert!((even.value - 2000.0).abs() < 0.1, "{even:?}");
    assert!((even.error - 0.1 / (0.25 * std::f64::consts::LN_10 / 400.0)).abs() < 0.5, "{even:?}");
    let between = performance(&[(1900.0, score(0.6), 40), (2100.0, score(0.4), 40)]).unwrap();
    assert!((between.value - 2000.0).abs() < 0.1, "{between:?}");
    assert_eq!(performance(&[(1900.0, score(1.0), 40)]), None);
    assert_eq!(performance(&[(1900.0, score(0.0), 40)]), None);
}
