//! Tests of both widths of sets.

use alloc::vec::Vec;

use super::{Bits, Wide};

fn cells<B: Bits>(set: B) -> Vec<u8> {
    let mut cells = Vec::new();
    set.for_each(|cell| cells.push(cell));
    cells
}

#[test]
fn a_wide_set_knows_every_single_cell() {
    for cell in 0..=255 {
        let set = Wide::single(cell);
        assert_eq!(cells(set), [cell]);
        assert_eq!((set.lowest(), set.count()), (cell, 1));
        assert!(set.has(cell) && !set.has(cell ^ 64) && !set.has_two() && !set.is_empty());
    }
}

#[test]
fn a_wide_set_finds_its_ends_across_words() {
    for (low, high) in [(3, 70), (64, 255), (0, 127), (130, 200), (5, 6)] {
        let set = Wide::single(low) | Wide::single(high);
        assert_eq!(set.lowest(), low);
        assert!(set.has_two());
        assert_eq!(cells(!set).len(), 254);
    }
}

#[test]
fn a_set_of_two_cells_is_distinguished_from_one() {
    for low in 0..=255 {
        for high in low..=255 {
            let set = Wide::single(low) | Wide::single(high);
            assert_eq!(set.has_two(), low != high, "{low} and {high}");
        }
    }
}

#[test]
fn the_nearest_shared_cell_is_found_from_either_side() {
    let ends = Wide::single(3) | Wide::single(90) | Wide::single(200);
    for from in 0..=255_u8 {
        let (below, above) = ((0..from).map(Wide::single), (from..=255).map(Wide::single));
        let above = above.fold(Wide::EMPTY, |set, cell| set | cell) & ends;
        let below = below.fold(Wide::EMPTY, |set, cell| set | cell) & ends;
        let lowest = cells(above).first().copied().unwrap_or(255);
        let highest = cells(below).last().copied().unwrap_or(0);
        assert_eq!(above.lowest_shared(ends, from), lowest, "from {from}");
        assert_eq!(below.highest_shared(ends, from), highest, "from {from}");
    }
    assert_eq!((0b1010_u64.lowest_shared(!0, 1), 0b1010_u64.highest_shared(!0, 3)), (1, 3));
    assert_eq!((1_u64.lowest_shared(2, 0), 1_u64.highest_shared(2, 9)), (63, 0));
}

fn assert_tally<B: Bits>(sets: impl Iterator<Item = B> + Clone) {
    let mut tally = B::Tally::default();
    sets.clone().for_each(|set| set.tally(&mut tally));
    assert_eq!(B::total(tally), sets.map(|set| u64::from(set.count())).sum::<u64>());
}

#[test]
fn a_tally_is_the_sum_of_the_counts_up_to_31_of_each_cell() {
    assert_tally([!0_u64; 31].into_iter());
    assert_tally([!Wide::EMPTY; 31].into_iter());
    assert_tally((0..31_u64).map(|index| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(index as u32)));
    assert_tally((0..31_u8).map(|index| Wide::single(index) | Wide::single(index * 8) | Wide::single(255)));
}

#[test]
fn shifting_carries_between_words_and_drops_at_the_ends() {
    for by in [1, 15, 16, 17, 32, 63] {
        for cell in 0..=255_u8 {
            let up = u16::from(cell) + by as u16;
            let moved = cells(Wide::single(cell).up(by));
            assert_eq!(moved, u8::try_from(up).into_iter().collect::<Vec<_>>());
            let down = u32::from(cell).checked_sub(by);
            let moved = cells(Wide::single(cell).down(by));
            assert_eq!(moved, down.map(|down| down as u8).into_iter().collect::<Vec<_>>());
        }
    }
}
