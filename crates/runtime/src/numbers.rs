//! Numbers that are unique in the process.

use std::sync::atomic::{AtomicU64, Ordering};

/// Returns a number that no other call has returned in this process. In a simulation, the numbers
/// begin with 0 in each simulation, because the order of a hash map may depend on them.
#[must_use]
pub fn unique_number() -> u64 {
    #[cfg(feature = "simulation")]
    if let Some(number) = crate::simulation::next_number() {
        return number;
    }
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}
