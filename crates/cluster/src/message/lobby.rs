//! The list of tables, and the questions for the owners of keys.

use quadrex_protocol::http::{QuickJoin, QuickJoined};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RefusalCode, TableId, UserId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::overview::OverviewUpdate;
use crate::node_subscription::PublishedState;

/// The changes of the sender's tables since the version before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListChanges {
    /// The version of the list after these changes. It is greater by one than the version before.
    pub version: u64,
    /// The changes, in order.
    pub changes: Vec<ListChange>,
}

/// A change of a node's tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListChange {
    /// The table is new or has changed.
    Table(Box<OverviewUpdate>),
    /// Only the fields have changed that change with every move.
    State(PublishedState),
    /// The match of a table in the lobby's list hibernates, so the table has no actor.
    Hibernating(HibernatingTable),
    /// The table has no actor any more and is in no list, or the sender no longer owns it.
    Removed(TableId),
}

/// A table in the lobby's list whose match hibernates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HibernatingTable {
    /// The table.
    pub table: TableId,
    /// The number of people who are seated at the table.
    pub players: u32,
}

/// The request for all tables of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListRequest {}

/// A part of all tables of the sender. A message of limited size does not have room for all
/// of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListPart {
    /// The version of the list.
    pub version: u64,
    /// The index of this part, from 0.
    pub part: u32,
    /// The number of parts.
    pub parts: u32,
    /// The tables that have actors.
    pub tables: Vec<OverviewUpdate>,
    /// The other tables in the lobby's list.
    #[serde(default)]
    pub hibernating: Vec<HibernatingTable>,
}

/// The question whether a limit allows something, for the owner of the limit's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitQuestion {
    /// The name of the limit, for example `guests`.
    pub limit: String,
    /// The key of the count.
    pub key: LimitKey,
    /// The number to count.
    pub cost: u32,
}

/// The key by which a limit counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKey {
    /// A client address or network, as text.
    Client(String),
    /// A user.
    User(UserId),
    /// The key of an account's name.
    Account(String),
}

/// The answer to [`LimitQuestion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitAnswer {
    /// The time after which the limit allows it, in milliseconds; `None` if it is allowed now.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
}

/// A quick join, for the owner of the variant's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuickJoinQuestion {
    /// The request.
    pub request: QuickJoin,
    /// The user who wants to join.
    pub user: UserView,
    /// The network of the user's client, as text, if it says anything about the user.
    #[serde(default)]
    pub network: Option<String>,
    /// True if the user may create a table when there is none to join.
    pub may_create: bool,
}

/// The answer to [`QuickJoinQuestion`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuickJoinAnswer {
    /// The outcome.
    pub outcome: QuickJoinOutcome,
}

/// The outcome of a quick join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuickJoinOutcome {
    /// The user has a seat.
    Joined(QuickJoined),
    /// There is no table to join, and the user may not create one.
    NoTable,
    /// The request was refused.
    Refused {
        /// The code of the refusal, for programs.
        code: RefusalCode,
        /// The reason, for people.
        text: String,
    },
    /// The node failed, and has logged the fault under this id.
    Fault {
        /// The id of the fault.
        id: Uuid,
    },
}

/// The question which of these users are connected to the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnlineQuestion {
    /// The users.
    pub users: Vec<UserId>,
}

/// The answer to [`OnlineQuestion`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnlineAnswer {
    /// The users who are connected.
    pub online: Vec<UserId>,
}

/// The question how far the review of a match is, for the owner of the review's key, which makes
/// the review. It also tells this node that the match waits for its review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewQuestion {
    /// The match.
    pub match_id: MatchId,
}

/// The answer to [`ReviewQuestion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAnswer {
    /// The progress of the review; `None` if it is not being made now.
    #[serde(default)]
    pub progress: Option<ReviewProgress>,
}

/// The progress of a review that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewProgress {
    /// The number of reviewed moves.
    pub done: u32,
    /// The number of all moves.
    pub of: u32,
}
