//! The decisions of a simulation.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrex_tests::rng::Rng;

/// A source of decisions that a seed determines. Clones share the source.
#[derive(Clone, Debug)]
pub(crate) struct Chance(Arc<Mutex<Rng>>);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(Rng::new(seed))))
    }

    /// Returns a source of its own for an actor, so that the decisions of one actor do not depend on
    /// the number of decisions of another.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.number())
    }

    pub(crate) fn number(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next_u64()
    }

    /// Returns a number less than `bound`; 0 if the bound is 0.
    pub(crate) fn below(&self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.number() % bound }
    }

    /// Returns true once in `times` on average.
    pub(crate) fn one_in(&self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns true with this probability in percent.
    pub(crate) fn percent(&self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns an element; `None` if there is none.
    pub(crate) fn pick<'a, T>(&self, elements: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.below(elements.len() as u64)).ok()?;
        elements.get(index)
    }

    /// Returns a time between both, in whole milliseconds. Short times are more likely than long ones.
    pub(crate) fn time(&self, least: Duration, most: Duration) -> Duration {
        let span = u64::try_from(most.saturating_sub(least).as_millis()).unwrap_or(u64::MAX);
        let share = self.below(1_000) * self.below(1_000);
        least + Duration::from_millis(span / 1_000 * share / 1_000 + self.below(span.min(1_000) + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the next numbers of a source.
    fn numbers(chance: &Chance) -> Vec<u64> {
        (0..20).map(|_| chance.number()).collect()
    }

    #[test]
    fn a_seed_determines_all_numbers() {
        assert_eq!(numbers(&Chance::new(7)), numbers(&Chance::new(7)));
        assert_ne!(numbers(&Chance::new(7)), numbers(&Chance::new(8)));
    }

    #[test]
    fn a_clone_shares_the_source_and_a_fork_has_its_own() {
        let (shared, alone) = (Chance::new(7), Chance::new(7));
        let clone = shared.clone();
        let taken: Vec<u64> = (0..10).flat_map(|_| [shared.number(), clone.number()]).collect();
        assert_eq!(taken, numbers(&alone), "both draw from one source");

        let (used, unused) = (Chance::new(7), Chance::new(7));
        let fork = used.fork();
        numbers(&fork);
        let other = unused.fork();
        assert_eq!(used.number(), unused.number(), "the use of a fork changes nothing");
        assert_ne!(numbers(&other), numbers(&unused.fork()), "each fork has another seed");
    }

    #[test]
    fn decisions_have_the_requested_bounds() {
        let chance = Chance::new(7);
        let drawn: Vec<u64> = (0..200).map(|_| chance.below(5)).collect();
        assert!((0..5).all(|number| drawn.contains(&number)) && drawn.iter().all(|number| *number < 5));
        assert_eq!(chance.below(0), 0);
        assert!(!(0..100).any(|_| chance.percent(0)) && (0..100).all(|_| chance.percent(100)));
        let hits = |hit: &dyn Fn() -> bool| (0..1_000).filter(|_| hit()).count();
        assert!((250..400).contains(&hits(&|| chance.one_in(3))));
        assert!((650..750).contains(&hits(&|| chance.percent(70))));
    }

    #[test]
    fn every_element_is_picked() {
        let chance = Chance::new(7);
        assert_eq!(chance.pick::<u8>(&[]), None);
        let picked: Vec<&str> = (0..50).filter_map(|_| chance.pick(&["a", "b", "c"]).copied()).collect();
        assert_eq!(picked.len(), 50);
        assert!(["a", "b", "c"].iter().all(|element| picked.contains(element)));
    }

    #[test]
    fn times_are_between_both_and_mostly_short() {
        let chance = Chance::new(7);
        let (least, most) = (Duration::from_secs(2), Duration::from_secs(62));
        let times: Vec<Duration> = (0..1_000).map(|_| chance.time(least, most)).collect();
        // The last second may be added to the longest time.
        assert!(times.iter().all(|time| (least..most + Duration::from_secs(1)).contains(time)));
        assert!(times.iter().any(|time| *time > Duration::from_secs(45)));
        let short = times.iter().filter(|time| **time < least + (most - least) / 2).count();
        assert!(short > 700, "{short} of 1,000 times are short");
        assert_eq!(chance.time(most, most), most);
        assert_eq!(chance.time(most, least), most, "a span that is empty");
        let whole = |time: &Duration| time.subsec_nanos().is_multiple_of(1_000_000);
        assert!(times.iter().all(whole));
    }
}
