//! Requests to the owner of a table other than commands, and their answers.

use std::fmt;

use bytes::Bytes;
use quadrex_protocol::view::{Head, LinkVisitor};
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use serde::{Deserialize, Serialize};

use super::node::SecretHashBytes;
use crate::NodeId;

/// A request for the first frames of a connection that watches a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// The table.
    pub table: TableId,
    /// The user of the connection; `None` for an anonymous connection.
    #[serde(default)]
    pub viewer: Option<UserId>,
    /// The condition under which the connection may watch.
    pub right: WatchRight,
    /// The link that gives the connection its right.
    #[serde(default)]
    pub link: Option<AccessLink>,
    /// True if the user may still watch after the host has kicked it.
    pub may_stay_when_kicked: bool,
    /// True for a reduced preview, which does not count as presence.
    pub is_preview: bool,
    /// The link visit to remember, if the connection presented a link.
    #[serde(default)]
    pub visitor: Option<LinkVisitor>,
    /// The last event that the client has, if it has any.
    #[serde(default)]
    pub resume_after: Option<Head>,
    /// The version of the sender's presence. From this version on, the presence names the viewer if
    /// the viewer may receive special frames.
    pub presence_version: u64,
}

/// The condition under which a connection may watch a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchRight {
    /// The connection may watch whether its user is a member or not.
    Unconditional,
    /// The connection may watch only while its user is a member: seated, or the host.
    MembersOnly,
}

/// An invite or a watch link by which a connection has access to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessLink {
    /// The hash of the link's secret.
    pub secret_hash: SecretHashBytes,
    /// The time at which the link expires.
    pub expires_at: Timestamp,
}

/// The answer to [`Watch`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchAnswer {
    /// The table.
    pub table: TableId,
    /// The outcome.
    pub outcome: WatchOutcome,
}

/// The outcome of [`Watch`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchOutcome {
    /// The connection may watch.
    Watching {
        /// The frames, in the order in which they are sent.
        frames: Vec<Bytes>,
        /// The match and the number of the last event that the frames show.
        head: Head,
        /// True if the viewer has a seat at the table.
        is_seated: bool,
        /// True if the frames are a snapshot that is right for all spectators.
        is_shared: bool,
    },
    /// The connection has just lost the right to watch.
    Refused,
}

impl fmt::Debug for WatchOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Watching { frames, head, .. } => {
                write!(f, "Watching({} frames, {} of {})", frames.len(), head.seq, head.match_id)
            }
            Self::Refused => f.write_str("Refused"),
        }
    }
}

/// The request to revoke the access of the watchers that use a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevokeLink {
    /// The table.
    pub table: TableId,
    /// The hash of the link's secret.
    pub link: SecretHashBytes,
}

/// The answer to [`RevokeLink`]: the access is revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevokeLinkAnswer {
    /// The table.
    pub table: TableId,
}

/// The answer of a node that does not own the table of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotOwner {
    /// The table.
    pub table: TableId,
    /// The node that owns the table now, if the sender knows it.
    #[serde(default)]
    pub owner: Option<NodeId>,
}
