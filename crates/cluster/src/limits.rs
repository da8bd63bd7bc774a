//! The times after which nodes act when messages are lost.

use std::time::Duration;

/// The interval between two heartbeats of a node.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// The number of heartbeats after which each follow was named at least once. Follows with changes
/// are named by the next heartbeat.
pub const HEARTBEATS_PER_ROUND: u64 = 2;

/// The time for which a missing message may still arrive, because another one has overtaken it.
/// After this time, the node follows the table again.
pub const GAP_PATIENCE: Duration = Duration::from_millis(200);

/// The time after which a request is repeated, and its owner is looked up again.
pub const ANSWER_PATIENCE: Duration = Duration::from_secs(1);

/// The time after which a request without an answer fails.
pub const REQUEST_PATIENCE: Duration = Duration::from_secs(10);

/// The shortest time between two look-ups of a table's owner.
pub const LOOK_UP_INTERVAL: Duration = Duration::from_millis(250);

/// The time without a heartbeat that names a follow, after which the node follows the table again.
pub const OWNER_PATIENCE: Duration = Duration::from_secs(6);

/// The time without a heartbeat that names a follow, after which the owner drops it.
pub const FOLLOWER_PATIENCE: Duration = Duration::from_secs(15);

/// The time for which spectators at a node share a snapshot.
pub const SNAPSHOT_LIFETIME: Duration = Duration::from_millis(100);

/// The shortest time between two messages with changes of a node's tables.
pub const LIST_INTERVAL: Duration = Duration::from_millis(200);

/// The time for which the tables of a dead node stay in the list, unless other nodes take
/// them over before.
pub const DEAD_LIST_LIFETIME: Duration = Duration::from_secs(10);
