//! Chance that is the same each run.

use crate::engine::random::Random;

#[test]
fn another_path_is_another_sequence_and_the_same_path_the_same() {
    let first = |path: &[u64]| Random::of(path).next();
    assert_eq!(first(&[1, 2]), first(&[1, 2]));
    let all = [first(&[]), first(&[0]), first(&[1, 2]), first(&[2, 1]), first(&[1, 2, 0])];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{all:?}");
    }
}
