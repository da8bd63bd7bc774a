//! The public state of a table, for nodes that follow the table.

use quadrex_protocol::UserId;
use quadrex_protocol::http::TableSummary;
use quadrex_protocol::view::Head;
use quadrex_rules::Timestamp;
use quadrex_table::OpenTurn;
use serde::{Deserialize, Serialize};

/// The public state of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewUpdate {
    /// The current match and the number of its last event.
    pub head: Head,
    /// The up-to-date summary that the lobby lists.
    pub summary: TableSummary,
    /// The users that the host has kicked.
    #[serde(default)]
    pub kicked: Vec<UserId>,
    /// The seated users who have a connection that watches the table.
    #[serde(default)]
    pub connected: Vec<UserId>,
    /// The seated users who have been connected since they took their seats.
    #[serde(default)]
    pub arrived: Vec<UserId>,
    /// True if a connection of the host watches the table.
    #[serde(default)]
    pub is_host_present: bool,
    /// The turn of the player who may move now.
    #[serde(default)]
    pub open_turn: Option<OpenTurnView>,
}

/// The turn of a player who may move now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTurnView {
    /// The user who may move.
    pub player: UserId,
    /// The moment by which the player must have moved, if there is one.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
}

impl From<OpenTurn> for OpenTurnView {
    fn from(OpenTurn { player, deadline }: OpenTurn) -> Self {
        Self { player, deadline }
    }
}

impl From<OpenTurnView> for OpenTurn {
    fn from(OpenTurnView { player, deadline }: OpenTurnView) -> Self {
        Self { player, deadline }
    }
}
