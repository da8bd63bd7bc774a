//! Sets of squares as bits: 64 for the square board, 256 for the frame of the crosses.

use core::fmt::Debug;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of places 0..64 or 0..256, with the operations move generation needs.
///
/// Places out of range are a caller's error; they give some set, never undefined behaviour.
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
    /// A running sum of how many places several sets hold.
    type Tally: Copy + Debug + Default;

    /// No place.
    const EMPTY: Self;

    /// The set of one place.
    fn single(place: u8) -> Self;

    /// Whether the place is in the set.
    fn has(self, place: u8) -> bool;

    /// Whether the set is empty.
    fn is_empty(self) -> bool;

    /// How many places are in the set.
    fn count(self) -> u32;

    /// Adds the number of places in the set; cheaper than adding up [`Self::count`]s.
    fn tally(self, tally: &mut Self::Tally);

    /// What a tally has come to.
    fn total(tally: Self::Tally) -> u64;

    /// The lowest place in a set that is not empty.
    fn lowest(self) -> u8;

    /// The highest place in a set that is not empty.
    fn highest(self) -> u8;

    /// Every place moved up by `by` (0 < `by` < 64); those moved out are lost.
    fn up(self, by: u32) -> Self;

    /// Every place moved down by `by` (0 < `by` < 64); those moved out are lost.
    fn down(self, by: u32) -> Self;

    /// Calls `visit` for each place, from the lowest.
    fn for_each(self, visit: impl FnMut(u8));

    /// Whether the set holds two places or more.
    fn has_two(self) -> bool;
}

impl Bits for u64 {
    type Tally = Self;

    const EMPTY: Self = 0;

    #[inline(always)]
    fn tally(self, tally: &mut Self) {
        *tally += Self::from(self.count_ones());
    }

    #[inline(always)]
    fn total(tally: Self) -> u64 {
        tally
    }

    #[inline(always)]
    fn single(place: u8) -> Self {
        1 << (place & 63)
    }

    #[inline(always)]
    fn has(self, place: u8) -> bool {
        self >> (place & 63) & 1 != 0
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
    fn highest(self) -> u8 {
        (63 ^ self.leading_zeros()) as u8
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
    fn for_each(self, mut visit: impl FnMut(u8)) {
        let mut rest = self;
        while rest != 0 {
            visit(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
    }

    #[inline(always)]
    fn has_two(self) -> bool {
        self & self.wrapping_sub(1) != 0
    }
}

/// 256 places in four words, lowest first. Aligned so that the compiler may use whole vector registers.
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

impl Bits for Wide {
    /// Word by word, which the compiler can do in vector registers.
    type Tally = [u64; 4];

    const EMPTY: Self = Self([0; 4]);

    #[inline(always)]
    fn tally(self, tally: &mut [u64; 4]) {
        for (sum, word) in tally.iter_mut().zip(self.0) {
            *sum += u64::from(word.count_ones());
        }
    }

    #[inline(always)]
    fn total(tally: [u64; 4]) -> u64 {
        tally.iter().sum()
    }

    #[inline(always)]
    fn single(place: u8) -> Self {
        let bit = 1 << (place & 63);
        let word = place >> 6;
        let at = |index| if word == index { bit } else { 0 };
        Self([at(0), at(1), at(2), at(3)])
    }

    #[inline(always)]
    fn has(self, place: u8) -> bool {
        self.0[usize::from(place >> 6)] >> (place & 63) & 1 != 0
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
    fn highest(self) -> u8 {
        let a = self.0;
        let (low, low_base) = if a[1] != 0 { (a[1], 64) } else { (a[0], 0) };
        let (high, high_base) = if a[3] != 0 { (a[3], 192) } else { (a[2], 128) };
        let (word, base) = if a[2] | a[3] != 0 { (high, high_base) } else { (low, low_base) };
        base + (63 ^ word.leading_zeros()) as u8
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
    fn for_each(self, mut visit: impl FnMut(u8)) {
        let mut base = 0_u8;
        for word in self.0 {
            let mut rest = word;
            while rest != 0 {
                visit(base + rest.trailing_zeros() as u8);
                rest &= rest - 1;
            }
            base = base.wrapping_add(64);
        }
    }

    #[inline(always)]
    fn has_two(self) -> bool {
        self.count() > 1
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Bits, Wide};

    fn places<B: Bits>(set: B) -> Vec<u8> {
        let mut places = Vec::new();
        set.for_each(|place| places.push(place));
        places
    }

    #[test]
    fn a_wide_set_knows_every_single_place() {
        for place in 0..=255 {
            let set = Wide::single(place);
            assert_eq!(places(set), [place]);
            assert_eq!((set.lowest(), set.highest(), set.count()), (place, place, 1));
            assert!(set.has(place) && !set.has(place ^ 64) && !set.has_two() && !set.is_empty());
        }
    }

    #[test]
    fn a_wide_set_finds_its_ends_across_words() {
        for (low, high) in [(3, 70), (64, 255), (0, 127), (130, 200), (5, 6)] {
            let set = Wide::single(low) | Wide::single(high);
            assert_eq!((set.lowest(), set.highest()), (low, high));
            assert!(set.has_two());
            assert_eq!(places(!set).len(), 254);
        }
    }

    #[test]
    fn shifting_carries_between_words_and_drops_at_the_ends() {
        for by in [1, 15, 16, 17, 32, 63] {
            for place in 0..=255_u8 {
                let up = u16::from(place) + by as u16;
                let moved = places(Wide::single(place).up(by));
                assert_eq!(moved, u8::try_from(up).into_iter().collect::<Vec<_>>());
                let down = u32::from(place).checked_sub(by);
                let moved = places(Wide::single(place).down(by));
                assert_eq!(moved, down.map(|down| down as u8).into_iter().collect::<Vec<_>>());
            }
        }
    }
}
