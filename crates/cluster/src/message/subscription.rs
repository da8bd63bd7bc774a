//! Following a table of another node.

use std::time::Duration;

use quadrex_protocol::http::TableStatus;
use quadrex_protocol::view::Head;
use quadrex_protocol::{TableId, UserId};
use serde::{Deserialize, Serialize};

use super::overview::{OpenTurnView, OverviewUpdate};
use super::publication::TablePublication;
use crate::FollowId;

/// The request to send all publications of a table from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Follow {
    /// The table.
    pub table: TableId,
    /// The number of this follow.
    pub follow: FollowId,
    /// The last event that the node has, if it has any. The answer has all later events.
    #[serde(default)]
    pub after: Option<Head>,
    /// The users who watch the table at the following node.
    pub presence: NodePresence,
}

/// The answer to [`Follow`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowAnswer {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
    /// The number of messages that the owner has sent for this follow before this answer.
    pub count: u64,
    /// The missed publications in order, if the node named its last event.
    #[serde(default)]
    pub missed: Vec<TablePublication>,
    /// The public state of the table.
    pub overview: OverviewUpdate,
}

/// The end of a follow, from the following node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfollow {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
}

/// The end of a follow, from the owner or a node that was the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotFollowing {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
}

/// A publication of a table or a change of its overview, for a following node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
    /// The number of this message among the messages of the follow, from 1 without gaps.
    pub number: u64,
    /// The publication, unless only the overview has changed.
    #[serde(default)]
    pub publication: Option<TablePublication>,
    /// The current match and the number of its last event.
    pub head: Head,
    /// The fields of the overview that change with every move.
    pub status: TableStatus,
    /// The turn of the player who may move now.
    #[serde(default)]
    pub open_turn: Option<OpenTurnView>,
    /// The whole overview, if any of its other fields has changed.
    #[serde(default)]
    pub overview: Option<OverviewUpdate>,
}

/// The users who watch a table at the following node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
    /// The users.
    pub presence: NodePresence,
}

/// The users who watch a table at one node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePresence {
    /// The number of changes so far. A presence with a smaller version is outdated.
    pub version: u64,
    /// The users that may receive special frames: the seated users, the host, and users who have
    /// sent commands.
    #[serde(default)]
    pub users: Vec<UserPresence>,
    /// The number of all other watchers.
    #[serde(default)]
    pub spectators: u32,
}

/// A user who watches a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserPresence {
    /// The user.
    pub user: UserId,
    /// The shortest round-trip time of the user's connections, in milliseconds.
    pub round_trip_ms: u64,
}

impl UserPresence {
    /// Returns the shortest round-trip time of the user's connections.
    #[must_use]
    pub const fn round_trip(&self) -> Duration {
        Duration::from_millis(self.round_trip_ms)
    }
}
