//! Random numbers that are the same in every run.

/// A random number generator with a seed: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014). It is not for secrets.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns the generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

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

    /// Returns a number below `bound`. Small numbers are a little more likely than large numbers,
    /// by a share of at most `bound` / 2^64.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }

    /// Returns a random index of a list with `length` items.
    ///
    /// # Panics
    /// Panics if `length` is 0.
    pub fn index(&mut self, length: usize) -> usize {
        (self.next_u64() % length as u64) as usize
    }

    /// Returns a random item; `None` if the list is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.index(items.len())) }
    }

    /// Returns `count` different numbers below `bound`, in ascending order.
    ///
    /// # Panics
    /// Panics if `count` is greater than `bound`.
    pub fn sample(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..bound).collect();
        for place in 0..count {
            let other = place + self.index(bound - place);
            numbers.swap(place, other);
        }
        numbers.truncate(count);
        numbers.sort_unstable();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the reference implementation (`splitmix64.c` by Vigna) for the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut rng = Rng::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| rng.next_u64()), expected);
    }

    #[test]
    fn different_paths_have_different_sequences() {
        let first = |path: &[u64]| Rng::from_path(path).next_u64();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        let all = [first(&[]), first(&[0]), first(&[1, 2]), first(&[2, 1]), first(&[1, 2, 0])];
        for (index, number) in all.iter().enumerate() {
            assert!(!all[..index].contains(number), "{all:?}");
        }
    }

    #[test]
    fn a_sample_has_different_numbers_in_order() {
        let mut rng = Rng::new(3);
        for count in 0..=9 {
            let sample = rng.sample(count, 9);
            assert!(sample.len() == count && sample.is_sorted_by(|a, b| a < b), "{sample:?}");
            assert!(sample.iter().all(|&number| number < 9));
        }
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
