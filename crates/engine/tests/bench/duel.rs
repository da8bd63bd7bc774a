//! What is told of two engines.

use crate::engine::duel::{told, verdict};
use crate::engine::statistics::{Mean, Rate};
use crate::engine::tally::Tally;

#[test]
fn elo_is_told_where_the_seats_are_even() {
    let share = Mean { value: 0.64, error: 0.04 };
    let tally = Tally { games: 100, share, alone: Rate::of(60, 100), drawn: 0.08, cut: 0.0, plies: 80.0 };
    let told_of = |is_even| told(&tally, is_even);
    assert_eq!(
        told_of(true),
        "100 games: A has 64.0 % +- 4.0 % of the first places, alone in 60.0 % of the games; 8.0 % drawn, 0.0 % cut off, 80 plies\n\
         A is better by +100 Elo (95 %: +70 to +131)"
    );
    assert!(!told_of(false).contains("Elo"));
}

#[test]
fn the_verdict_is_what_the_ratio_has_reached() {
    assert!(verdict(3.0, 0.0, 20.0).ends_with("A is better by 20 Elo or more"));
    assert!(verdict(-3.0, 0.0, 20.0).ends_with("A is better by 0 Elo or less"));
    assert!(verdict(1.0, 0.0, 20.0).ends_with("not decided"));
}
