//! Sets of 256 cells, for the crosses.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Bits, Cells, count_in_bytes, sum_of_bytes};

/// A set of 256 cells in four words, the lowest word first. It is aligned so that the compiler may
/// use whole vector registers.
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
