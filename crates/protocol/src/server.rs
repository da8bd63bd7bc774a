//! Frames that the server sends over the WebSocket.

use std::collections::BTreeMap;

use quadrex_rules::Move;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::{Activity, InvitationView, LobbyCounts, OwnTable, TableStatus, TableSummary};
use crate::state_patch::StatePatch;
use crate::user::UserView;
use crate::view::{Entry, Head, LinkVisitor, PlayerView, TableView, TurnHints};
use crate::vocabulary::MoveText;
use crate::{CommandId, MatchId, RefusalCode, TableId};

/// One text frame from the server. The field `t` selects its type. A client ignores a frame of
/// unknown type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "t", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a frame is made, written out and dropped; none are kept in numbers"
)]
pub enum ServerFrame {
    /// Answer to `hello`.
    Welcome {
        /// The negotiated subprotocol, `quadrex.v1`.
        protocol: String,
        /// The server's version.
        version: String,
        /// The identified user. A client without a user may still watch public tables.
        user: Option<UserView>,
    },
    /// The list of the lobby. It begins with at most 50 open public tables, newest first. At most
    /// 50 running public tables follow, those with the most spectators first.
    Lobby {
        /// The tables.
        tables: Vec<TableSummary>,
        /// The total numbers.
        counts: LobbyCounts,
        /// The activity on the server.
        activity: Activity,
    },
    /// A table is new in the list, or its seats, its host or its phase have changed.
    LobbyTable {
        /// The table's new summary.
        table: TableSummary,
    },
    /// A table has left the list.
    LobbyRemoved {
        /// The table.
        table: TableId,
    },
    /// Changes of listed tables during their matches. Sent at most once a second.
    LobbyPreview {
        /// The status of each listed table that has changed.
        tables: Vec<TableStatus>,
        /// The total numbers, if they have changed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        counts: Option<LobbyCounts>,
        /// The activity on the server, if it has changed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        activity: Option<Activity>,
    },
    /// The user's own unfinished tables, newest first, at most 100; the answer to
    /// `watch_own_tables`.
    OwnTables {
        /// The tables.
        tables: Vec<OwnTable>,
    },
    /// A table has become one of the user's own tables, or has changed: its seats, its host, its
    /// phase, or the user's turn there and the deadline for the move.
    OwnTable {
        /// The table.
        table: OwnTable,
    },
    /// A table of the list has ended, or is not one of the user's own tables any more.
    OwnTableRemoved {
        /// The table.
        table: TableId,
    },
    /// The invitations of the user that wait for an answer, newest first. Sent after `own_tables`,
    /// and again whenever the list has changed.
    Invitations {
        /// The invitations.
        invitations: Vec<InvitationView>,
    },
    /// The full state of a table, in answer to `watch`.
    Snapshot {
        /// The table.
        table: TableId,
        /// The table's match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of the last event that the snapshot contains.
        seq: u64,
        /// The table.
        view: Box<TableView>,
    },
    /// The answer to a `watch` with `after`, if the client can continue from that event. The events
    /// that the client missed, up to `seq`, follow at once. New events follow when they happen.
    Watching {
        /// The table.
        table: TableId,
        /// The table's match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of the match's last event.
        seq: u64,
    },
    /// An event at a watched table.
    Event {
        /// The table.
        table: TableId,
        /// The match of the event.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The event and its changes to the board.
        #[serde(flatten)]
        entry: Entry,
        /// The merge patch that turns the state before the event into the state after it.
        state: StatePatch,
        /// The receiver's legal moves, if it is now the receiver's turn.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional, as = "Option<Vec<MoveText>>")]
        #[schemars(with = "Option<Vec<MoveText>>")]
        legal_moves: Option<Vec<Move>>,
        /// Facts that explain which moves are legal, such as pins; absent if there are none.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        hints: Option<TurnHints>,
    },
    /// An event at a watched table that the receiver may not see; only its number is sent.
    Skip {
        /// The table.
        table: TableId,
        /// The table's match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The number of the event.
        seq: u64,
    },
    /// A command was accepted, and its events are on disk.
    Ack {
        /// The table.
        table: TableId,
        /// The match whose log contains the command's events.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The command.
        cmd: CommandId,
        /// The number of the command's last event.
        seq: u64,
    },
    /// A frame was refused; nothing changed.
    Refused {
        /// The command's id, if the refused frame was a command.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        cmd: Option<CommandId>,
        /// The table, if the frame named one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        table: Option<TableId>,
        /// The table's current match, if the table refused a command.
        #[serde(skip_serializing_if = "Option::is_none", default, rename = "match")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The kind of refusal, for programs.
        code: RefusalCode,
        /// The reason, for people.
        message: String,
    },
    /// The presence of players or spectators has changed.
    Presence {
        /// The table.
        table: TableId,
        /// The players, in turn order.
        players: Vec<PlayerView>,
        /// The number of people who watch without a seat.
        spectators: u32,
        /// For the host: the users who have opened the table by a link.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        #[ts(optional, as = "Option<Vec<LinkVisitor>>")]
        link_visitors: Vec<LinkVisitor>,
    },
    /// The answer to `ping`, with the latest event of each watched table.
    Pong {
        /// The head of each table.
        heads: BTreeMap<TableId, Head>,
    },
    /// The server is about to close the connection. No acknowledged command is lost.
    Closing {
        /// The time to wait before reconnecting, in milliseconds.
        retry_after_ms: u64,
        /// The time for which this connection stays open and usable, in milliseconds; absent if the
        /// server closes it at once. The client opens its next connection while this one is open,
        /// `retry_after_ms` after this frame, and then closes this one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        open_for_ms: Option<u64>,
    },
}
