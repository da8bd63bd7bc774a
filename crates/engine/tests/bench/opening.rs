//! Openings by chance.

use quadrex_rules::Variant;

use crate::engine::opening::{MOVES_EACH, random};
use crate::engine::random::Random;

#[test]
fn openings_leave_everybody_in_and_differ() {
    for variant in Variant::ALL {
        let openings: Vec<_> = (0..50).map(|seed| random(variant, Random::of(&[seed]))).collect();
        for (index, opening) in openings.iter().enumerate() {
            assert_eq!(opening.len(), MOVES_EACH * variant.player_count());
            assert!(!openings[..index].contains(opening), "{variant}: {opening:?} comes again");
        }
        assert_eq!(openings[7], random(variant, Random::of(&[7])));
    }
}
