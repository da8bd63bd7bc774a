//! Counts of messages of unknown kinds.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of messages of kinds that a node does not know. While nodes of two versions run side by
/// side there may be many of them, so only some are logged.
#[derive(Debug, Default)]
pub struct UnknownKinds {
    count: AtomicU64,
}

impl UnknownKinds {
    /// Counts a message. Returns the number so far if it shall be logged, which it is for 1, 2, 4, 8
    /// and so on.
    pub fn record(&self) -> Option<u64> {
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        count.is_power_of_two().then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_grows_slowly() {
        let unknown = UnknownKinds::default();
        let logged: Vec<u64> = (0..1_000).filter_map(|_| unknown.record()).collect();
        assert_eq!(logged, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    }
}
