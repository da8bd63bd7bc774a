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
