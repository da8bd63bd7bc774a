//! Numbers that are unique within a node.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// The number by which a node recognises the answer to its request. An answer carries the number of
/// its request. Other messages carry 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Correlation(pub u64);

/// The number of a follow, by which a node follows a table. When the node follows the table again,
/// the number is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FollowId(pub u64);

/// The source of a node's numbers, which only increase. Clones share the source.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    last: Arc<AtomicU64>,
}

impl Numbers {
    /// Returns a new number for a request.
    #[must_use]
    pub fn correlation(&self) -> Correlation {
        Correlation(self.next())
    }

    /// Returns a new number for a follow.
    #[must_use]
    pub fn follow(&self) -> FollowId {
        FollowId(self.next())
    }

    /// Returns a new version of a presence.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.next()
    }

    fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }
}
