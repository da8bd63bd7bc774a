//! Pairs of levels and what is told of them.

use quadrex_engine::Level;
use quadrex_rules::Variant;

use crate::engine::levels::{line, pair};
use crate::engine::statistics::{Mean, Rate};
use crate::engine::tally::Tally;

#[test]
fn pairs_are_read_lower_level_first() {
    assert_eq!(pair("3-4").unwrap(), (Level::try_from(3).unwrap(), Level::try_from(4).unwrap()));
    for (wrong, error) in [
        ("3", "expected LOWER-HIGHER"),
        ("3-x", "\"x\" is no number"),
        ("0-1", "0 is not a level: expected 1 to 8"),
        ("4-4", "the higher level comes second"),
    ] {
        assert_eq!(pair(wrong).unwrap_err().to_string(), error);
    }
}

/// In classic draws count as half, with four players only who is first alone has won.
#[test]
fn the_line_says_whether_what_is_asked_is_met() {
    let share = Mean { value: 0.7, error: 0.05 };
    let tally = Tally { games: 400, share, alone: Rate::of(120, 400), drawn: 0.2, cut: 0.0, plies: 99.6 };
    let told = line("2 : 1", Variant::Classic, &tally);
    assert!(told.ends_with("100   asked part >= 65 %, lower end > 50 %: met"), "{told}");
    let told = line("2 : 1", Variant::Dilkel, &tally);
    assert!(told.ends_with("100   asked alone >= 40 %, lower end > 25 %: not met"), "{told}");
    let unsure = Tally { share: Mean { value: 0.7, error: 0.25 }, ..tally };
    assert!(line("2 : 1", Variant::Classic, &unsure).ends_with(": not met"));
}
