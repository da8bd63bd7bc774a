//! Chance that is the same each run.

/// Numbers that look random (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A sequence of its own for each path of numbers: a tournament, a round in it, a seat.
    pub(crate) fn of(path: &[u64]) -> Self {
        let mut random = Self(0);
        for &step in path {
            random.0 = random.next() ^ step;
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next() >> 33) as usize % list.len()]
    }
}
