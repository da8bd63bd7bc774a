//! Sets of squares as bits: 64 for the square board, 256 for the frame of the crosses.

use core::fmt::Debug;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells 0..64 or 0..256, with the operations move generation needs.
///
/// A cell out of range is a bug of the caller. The result is then some set, and never undefined
/// behaviour.
pub trait Bits:
    Copy
    + Debug
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + 'static
{
    /// A running sum of the sizes of several sets.
    type Tally: Copy + Debug + Default;

    /// The empty set.
    const EMPTY: Self;

    /// The number of 64-bit words in a set.
    const WORDS: usize;

    /// The set of one cell.
    fn single(cell: u8) -> Self;

    /// Returns whether the cell is in the set.
    fn has(self, cell: u8) -> bool;

    /// Returns whether the set is empty.
    fn is_empty(self) -> bool;

    /// Returns the number of cells in the set.
    fn count(self) -> u32;

    /// Adds the size of the set to a tally. That is faster than to sum up [`Self::count`], but no
    /// cell may be in more than 31 of the sets.
    fn tally(self, tally: &mut Self::Tally);

    /// Returns the total of a tally.
    fn total(tally: Self::Tally) -> u64;

    /// Returns the lowest cell of a non-empty set.
    fn lowest(self) -> u8;

    /// Returns the lowest cell in both sets, which must share no cell below `from`. Without a
    /// shared cell, returns the highest cell.
    ///
    /// A wide set is searched word by word. Perft on a cross takes a sixth less time that way than
    /// with a branchless selection of the word.
    fn lowest_shared(self, other: Self, from: u8) -> u8;

    /// Returns the highest cell in both sets, which must share no cell above `from`. Without a
    /// shared cell, returns cell 0.
    fn highest_shared(self, other: Self, from: u8) -> u8;

    /// Returns every cell moved up by `by` (0 < `by` < 64), dropping those moved out.
    fn up(self, by: u32) -> Self;

    /// Returns every cell moved down by `by` (0 < `by` < 64), dropping those moved out.
    fn down(self, by: u32) -> Self;

    /// Returns the cells in one of the words that make up the set, the lowest first; `index` is
    /// below [`Self::WORDS`].
    fn word(&self, index: usize) -> Cells;

    /// Calls `visit` for each cell, from the lowest.
    ///
    /// In hot code, two nested loops over [`Self::word`] and its cells are faster. The compiler
    /// does not always inline the closure, and a loop over one word need not look for the next
    /// word.
    #[inline(always)]
    fn for_each(self, mut visit: impl FnMut(u8)) {
        for index in 0..Self::WORDS {
            for cell in self.word(index) {
                visit(cell);
            }
        }
    }

    /// Returns whether the set has two cells or more.
    fn has_two(self) -> bool;
}

/// The cells in one word of a set, from the lowest.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    /// The first cell of the word.
    base: u8,
    /// The remaining cells, as bits relative to `base`.
    rest: u64,
}

impl Iterator for Cells {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.rest == 0 {
            return None;
        }
        let cell = self.base + self.rest.trailing_zeros() as u8;
        self.rest &= self.rest - 1;
        Some(cell)
    }
}

/// Returns the number of set bits in each byte of a word. Without a population count instruction
/// this is the fastest way to count the bits of many words: the bytes are added once, at the end.
#[inline(always)]
const fn count_in_bytes(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The sum of a word's bytes.
#[inline(always)]
const fn sum_of_bytes(word: u64) -> u64 {
    let pairs = (word & 0x00ff_00ff_00ff_00ff) + (word >> 8 & 0x00ff_00ff_00ff_00ff);
    pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
}

impl Bits for u64 {
    /// A count for each byte.
    type Tally = Self;

    const EMPTY: Self = 0;
    const WORDS: usize = 1;

    #[inline(always)]
    fn tally(self, tally: &mut Self) {
        *tally += count_in_bytes(self);
    }

    #[inline(always)]
    fn total(tally: Self) -> u64 {
        sum_of_bytes(tally)
    }

    #[inline(always)]
    fn single(cell: u8) -> Self {
        1 << (cell & 63)
    }

    #[inline(always)]
    fn has(self, cell: u8) -> bool {
        self >> (cell & 63) & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> u8 {
        self.trailing_zeros() as u8
    }

    #[inline(always)]
    fn lowest_shared(self, other: Self, _: u8) -> u8 {
        (self & other | 1 << 63).trailing_zeros() as u8
    }

    #[inline(always)]
    fn highest_shared(self, other: Self, _: u8) -> u8 {
        (63 ^ (self & other | 1).leading_zeros()) as u8
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        self << by
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        self >> by
    }

    #[inline(always)]
    fn word(&self, _: usize) -> Cells {
        Cells { base: 0, rest: *self }
    }

    #[inline(always)]
    fn has_two(self) -> bool {
        self & self.wrapping_sub(1) != 0
    }
}

/// A set of 256 cells in four words, lowest first. Aligned so that the compiler may use whole
/// vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Wide(pub(crate) [u64; 4]);

/// Implements a bit operator word by word.
macro_rules! wordwise {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $op:tt;)+) => {$(
        impl $operator for Wide {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (a, b) = (self.0, other.0);
                Self([a[0] $op b[0], a[1] $op b[1], a[2] $op b[2], a[3] $op b[3]])
            }
        }

        impl $assign for Wide {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )+};
}

wordwise! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Wide {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let a = self.0;
        Self([!a[0], !a[1], !a[2], !a[3]])
    }
}

impl Default for Wide {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bits for Wide {
    /// A count for each byte, which the compiler can keep in vector registers.
    type Tally = Self;

    const EMPTY: Self = Self([0; 4]);
    const WORDS: usize = 4;

    #[inline(always)]
    fn tally(self, tally: &mut Self) {
        let (a, sums) = (self.0, tally.0);
        *tally = Self([
            sums[0] + count_in_bytes(a[0]),
            sums[1] + count_in_bytes(a[1]),
            sums[2] + count_in_bytes(a[2]),
            sums[3] + count_in_bytes(a[3]),
        ]);
    }

    #[inline(always)]
    fn total(tally: Self) -> u64 {
        tally.0.into_iter().map(sum_of_bytes).sum()
    }

    #[inline(always)]
    fn single(cell: u8) -> Self {
        let bit = 1 << (cell & 63);
        let word = cell >> 6;
        let at = |index| if word == index { bit } else { 0 };
        Self([at(0), at(1), at(2), at(3)])
    }

    #[inline(always)]
    fn has(self, cell: u8) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let a = self.0;
        a[0] | a[1] | a[2] | a[3] == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let a = self.0;
        a[0].count_ones() + a[1].count_ones() + a[2].count_ones() + a[3].count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> u8 {
        let a = self.0;
        let (low, low_base) = if a[0] != 0 { (a[0], 0) } else { (a[1], 64) };
        let (high, high_base) = if a[2] != 0 { (a[2], 128) } else { (a[3], 192) };
        let (word, base) = if a[0] | a[1] != 0 { (low, low_base) } else { (high, high_base) };
        base + word.trailing_zeros() as u8
    }

    #[inline(always)]
    fn lowest_shared(self, other: Self, from: u8) -> u8 {
        for index in usize::from(from >> 6)..4 {
            let shared = self.0[index] & other.0[index];
            if shared != 0 {
                return 64 * index as u8 + shared.trailing_zeros() as u8;
            }
        }
        255
    }

    #[inline(always)]
    fn highest_shared(self, other: Self, from: u8) -> u8 {
        for index in (0..=usize::from(from >> 6)).rev() {
            let shared = self.0[index] & other.0[index];
            if shared != 0 {
                return 64 * index as u8 + (63 ^ shared.leading_zeros()) as u8;
            }
        }
        0
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        let (a, rest) = (self.0, 64 - by);
        Self([a[0] << by, a[1] << by | a[0] >> rest, a[2] << by | a[1] >> rest, a[3] << by | a[2] >> rest])
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        let (a, rest) = (self.0, 64 - by);
        Self([a[0] >> by | a[1] << rest, a[1] >> by | a[2] << rest, a[2] >> by | a[3] << rest, a[3] >> by])
    }

    #[inline(always)]
    fn word(&self, index: usize) -> Cells {
        Cells { base: 64 * index as u8, rest: self.0[index] }
    }

    #[inline(always)]
    fn has_two(self) -> bool {
        let [a, b, c, d] = self.0;
        let any = a | b | c | d;
        let alike = a & b | (a | b) & c | (a | b | c) & d;
        alike != 0 || any.has_two()
    }
}

#[cfg(test)]
mod tests {
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
        assert_tally(
            (0..31_u8).map(|index| Wide::single(index) | Wide::single(index * 8) | Wide::single(255)),
        );
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
}
