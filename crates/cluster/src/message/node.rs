//! Messages between nodes that are not about a single table.

use std::fmt;

use quadrex_protocol::view::Head;
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use serde::{Deserialize, Serialize};

use super::subscription::NodePresence;
use crate::{FollowId, NodeId};

/// The sign of life that each node sends to each other node once a second.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Tables of the sender that the receiver follows.
    #[serde(default)]
    pub heads: Vec<FollowHead>,
    /// Tables of the receiver that the sender follows.
    #[serde(default)]
    pub follows: Vec<FollowState>,
    /// The state of the sender's lobby.
    #[serde(default)]
    pub lobby: LobbyState,
}

/// The state of a node's lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LobbyState {
    /// The version of the node's list of tables.
    #[serde(default)]
    pub list_version: u64,
    /// The number of people who are online at the node.
    #[serde(default)]
    pub online: u32,
    /// The people at public tables with open seats who subscribe to their own tables at the node, so
    /// that they would notice the start of a match.
    #[serde(default)]
    pub reachable: Vec<UserId>,
}

/// The state of a follow at the owner of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowHead {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
    /// The number of messages that the owner has sent for this follow.
    pub count: u64,
    /// The table's match and the number of its last event.
    pub head: Head,
    /// The version of the following node's presence that the owner has.
    pub presence_version: u64,
}

/// The state of a follow at the following node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowState {
    /// The table.
    pub table: TableId,
    /// The number of the follow.
    pub follow: FollowId,
    /// The version of the node's presence.
    pub presence_version: u64,
}

/// The request to take tables over from a node that stops. The sender has released these tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeOver {
    /// The tables.
    pub tables: Vec<TableTakeOver>,
}

/// A table to take over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableTakeOver {
    /// The table.
    pub table: TableId,
    /// The table's current match.
    pub match_id: MatchId,
    /// The time at which the sender released the match.
    pub released_at: Timestamp,
    /// The nodes that follow the table, the sender included, with their presence.
    #[serde(default)]
    pub followers: Vec<TakenFollower>,
}

/// A node that follows a table which is taken over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenFollower {
    /// The node.
    pub node: NodeId,
    /// The users who watch the table at that node.
    pub presence: NodePresence,
}

/// The answer to [`TakeOver`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeOverAnswer {
    /// The tables that the sender owns now.
    pub taken: Vec<TableId>,
}

/// Sessions that have ended, so that their connections must be closed. All nodes read the revocations
/// in the database too, so a revocation holds even if this message is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsEnded {
    /// The hashes of the sessions' tokens.
    pub sessions: Vec<SecretHashBytes>,
}

/// The invitations of a user have changed, so that each node publishes them to the connections of the
/// user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationsChanged {
    /// The invited user.
    pub user: UserId,
}

/// The answer to a message that the receiver cannot decode, because a newer server sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unknown {
    /// The kind of the message.
    pub kind: String,
}

/// The SHA-256 hash of a token or of a link's secret.
///
/// `Debug` does not show the hash, so that it cannot get into a log file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretHashBytes(#[serde(with = "serde_bytes")] pub [u8; 32]);

impl fmt::Debug for SecretHashBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHashBytes(..)")
    }
}
