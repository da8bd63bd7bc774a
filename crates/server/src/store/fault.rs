//! A way to die at the worst moment, for tests: between a COMMIT and everything that follows from it.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::ABORT_AFTER_COMMIT;

static ABORT_AT: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var(ABORT_AFTER_COMMIT).ok().and_then(|count| count.parse().ok()));

static COMMITS: AtomicU64 = AtomicU64::new(0);

/// Counts one committed append, and aborts the process if it is the one.
pub(super) fn after_commit() {
    let count = COMMITS.fetch_add(1, Ordering::SeqCst) + 1;
    if *ABORT_AT == Some(count) {
        std::process::abort();
    }
}
