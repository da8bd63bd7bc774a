//! Random numbers from the system, or from a seed in tests.

use std::sync::{Arc, Mutex, PoisonError};

use quadrex_rules::Timestamp;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use uuid::{Builder, Uuid};

/// A source of random numbers that are good enough for secrets. Clones share the source.
#[derive(Clone, Debug)]
pub struct Entropy(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Seeded(Arc<Mutex<StdRng>>),
}

impl Entropy {
    /// Returns the system's source of random numbers.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Returns a source that yields the same numbers each time, for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))))
    }

    /// Returns `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.draw(|rng| rng.fill_bytes(&mut bytes));
        bytes
    }

    /// Returns one of the elements, each with the same probability.
    ///
    /// # Panics
    /// Panics if `elements` is empty.
    pub fn pick<'a, T>(&self, elements: &'a [T]) -> &'a T {
        let mut index = 0;
        self.draw(|rng| index = rng.random_range(0..elements.len()));
        &elements[index]
    }

    /// Returns a new id: a UUIDv7 (RFC 9562, section 5.7). Such ids sort by the moments of their
    /// creation.
    pub fn uuid(&self, now: Timestamp) -> Uuid {
        Builder::from_unix_timestamp_millis(now.as_millis(), &self.bytes()).into_uuid()
    }

    fn draw(&self, mut with: impl FnMut(&mut dyn Rng)) {
        match &self.0 {
            Source::System => {
                #[expect(clippy::disallowed_methods, reason = "the one place where randomness is drawn")]
                let mut rng = rand::rng();
                with(&mut rng);
            }
            Source::Seeded(rng) => with(&mut *rng.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let (a, b, c) = (Entropy::seeded(1), Entropy::seeded(1), Entropy::seeded(2));
        assert_eq!(a.bytes::<16>(), b.bytes::<16>());
        assert_ne!(a.bytes::<16>(), c.bytes::<16>());
        assert_ne!(Entropy::system().bytes::<16>(), Entropy::system().bytes::<16>());
    }

    #[test]
    fn ids_sort_by_their_moment() {
        let entropy = Entropy::seeded(1);
        let ids = [5, 70_000, 1_700_000_000_000].map(|millis| entropy.uuid(Timestamp::from_millis(millis)));
        assert!(ids.is_sorted(), "{ids:?}");
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[test]
    fn every_element_can_be_picked() {
        let entropy = Entropy::seeded(1);
        let mut seen = [false; 4];
        for _ in 0..100 {
            seen[*entropy.pick(&[0, 1, 2, 3])] = true;
        }
        assert_eq!(seen, [true; 4]);
    }
}
