//! Rate limiters that measure time by the monotonic clock of the runtime.

use std::hash::Hash;
use std::time::Instant;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

/// The monotonic clock of the runtime, for rate limiters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimiterClock;

impl Clock for LimiterClock {
    type Instant = Instant;

    fn now(&self) -> Instant {
        quadrex_runtime::monotonic()
    }
}

/// A rate limiter that counts all requests together.
pub(crate) type DirectLimiter = RateLimiter<NotKeyed, InMemoryState, LimiterClock, NoOpMiddleware<Instant>>;

/// A rate limiter that counts the requests of each key separately.
pub(super) type KeyedLimiter<K> = RateLimiter<K, HashMapStateStore<K>, LimiterClock, NoOpMiddleware<Instant>>;

/// Returns a limiter for all requests together.
pub(crate) fn direct_limiter(quota: Quota) -> DirectLimiter {
    RateLimiter::direct_with_clock(quota, LimiterClock)
}

/// Returns a limiter for the requests of each key.
pub(super) fn keyed_limiter<K: Hash + Eq + Clone>(quota: Quota) -> KeyedLimiter<K> {
    RateLimiter::hashmap_with_clock(quota, LimiterClock)
}
