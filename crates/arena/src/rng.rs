//! Pseudorandom numbers that are the same in every run.

/// A pseudorandom number generator (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns the generator of a path of numbers, such as a tournament's seed, a round and a seat.
    /// Each path has a sequence of its own.
    #[must_use]
    pub fn from_path(path: &[u64]) -> Self {
        let mut rng = Self(0);
        for &step in path {
            rng.0 = rng.next_u64() ^ step;
        }
        rng
    }

    /// Returns the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random item.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[(self.next_u64() >> 33) as usize % items.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_paths_have_different_sequences() {
        let first = |path: &[u64]| Rng::from_path(path).next_u64();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        let all = [first(&[]), first(&[0]), first(&[1, 2]), first(&[2, 1]), first(&[1, 2, 0])];
        for (index, number) in all.iter().enumerate() {
            assert!(!all[..index].contains(number), "{all:?}");
        }
    }
}
