//! What the server says over the WebSocket.

use std::collections::BTreeMap;

use quadrex_rules::Move;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::{LobbyCounts, TableStatus, TableSummary};
use crate::state_patch::StatePatch;
use crate::view::{Entry, Head, PlayerView, TableView, UserView};
use crate::vocabulary::MoveText;
use crate::{CmdId, MatchId, RefusalCode, TableId};

/// One text frame from the server. The field `t` says which. A client drops a frame it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "t", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a frame is made, written out and dropped; none are kept in numbers"
)]
pub enum ServerFrame {
    /// Answer to `hello`.
    Welcome {
        /// The subprotocol spoken, `quadrex.v1`.
        protocol: String,
        /// The server's version.
        version: String,
        /// Who one is; nobody may still watch public tables.
        user: Option<UserView>,
    },
    /// The lobby's window: public tables that are open, newest first, and then those that run, those with the most
    /// spectators first; 50 of each at most.
    Lobby {
        /// The tables.
        tables: Vec<TableSummary>,
        /// How many there are in all.
        counts: LobbyCounts,
    },
    /// A public table has come into the window, or its seats, its host or its phase have changed there.
    LobbyTable {
        /// The table as it now is.
        table: TableSummary,
    },
    /// A table has left the window.
    LobbyGone {
        /// Which.
        table: TableId,
    },
    /// What has changed in the course of matches, at most once a second.
    LobbyPreview {
        /// The tables of the window where it has.
        tables: Vec<TableStatus>,
        /// How many tables there are in all, if that has changed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        counts: Option<LobbyCounts>,
    },
    /// The whole of a table, after `watch`.
    Snapshot {
        /// Which table.
        table: TableId,
        /// Its match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of the last event in it.
        seq: u64,
        /// The table.
        view: Box<TableView>,
    },
    /// The client can go on from the `after` of its `watch`: the events it missed, up to `seq`, follow at once, and then
    /// those that happen.
    Watching {
        /// Which table.
        table: TableId,
        /// Its match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of its last event.
        seq: u64,
    },
    /// Something happened at a watched table.
    Event {
        /// Which table.
        table: TableId,
        /// The match whose event it is.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The event and what changed on the board.
        #[serde(flatten)]
        entry: Entry,
        /// What it changed of what is true: a merge patch of the state before it.
        state: StatePatch,
        /// The receiver's legal moves, if it is now the receiver's turn.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional, as = "Option<Vec<MoveText>>")]
        #[schemars(with = "Option<Vec<MoveText>>")]
        legal: Option<Vec<Move>>,
    },
    /// An event at a watched table that is not for the receiver: only its number is told.
    Skip {
        /// Which table.
        table: TableId,
        /// Its match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of the event.
        seq: u64,
    },
    /// A command was carried out and is durable.
    Ack {
        /// Which table.
        table: TableId,
        /// The match in whose log it is.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// Which command.
        cmd: CmdId,
        /// The number of its last event in that match.
        seq: u64,
    },
    /// A frame was refused; nothing changed.
    Refused {
        /// Which command, if the frame was one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        cmd: Option<CmdId>,
        /// Which table, if the frame named one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        table: Option<TableId>,
        /// The match the table was at, if the table itself refused a command.
        #[serde(skip_serializing_if = "Option::is_none", default, rename = "match")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// Why, for programs.
        code: RefusalCode,
        /// Why, for people.
        message: String,
    },
    /// Who is there has changed.
    Presence {
        /// Which table.
        table: TableId,
        /// The players, in turn order.
        players: Vec<PlayerView>,
        /// How many watch without a seat.
        spectators: u32,
    },
    /// Answer to `ping`: how far each watched table is.
    Pong {
        /// Table to head.
        heads: BTreeMap<TableId, Head>,
    },
    /// The server is about to close the connection; nothing that was acknowledged is lost.
    Closing {
        /// When to come again, milliseconds.
        retry_after_ms: u64,
    },
}
