//! Frames that a client sends over the WebSocket.

use quadrex_rules::{Color, Move, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::bot::BotChoice;
use crate::chat::{ChatMessage, Room};
use crate::lot::Nonce;
use crate::vocabulary::{ColorText, MoveText, RequestText};
use crate::{CommandId, MatchId, TableId};

/// One text frame from a client. The field `t` selects its type.
///
/// A frame with a `cmd` is a command. The server answers each command with exactly one `ack` or
/// `refused`, which contains the same `cmd`. At a hotseat table a user can hold several seats, and
/// `seat` selects the seat that a command is for. Without `seat`, the command is for the seat to
/// move if the user holds it. Otherwise it is for the user's only active seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientFrame {
    /// Identifies the user. This must be the first frame. A program sends its bearer token. A
    /// browser sends no token, because its cookie identifies the user.
    Hello {
        /// The bearer token from `POST /api/guests`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        token: Option<String>,
    },
    /// Subscribes to the list of public tables and its changes.
    WatchLobby {},
    /// Ends the subscription of `watch_lobby`.
    UnwatchLobby {},
    /// Subscribes to the list of the user's own unfinished tables and its changes.
    WatchOwnTables {},
    /// Ends the subscription of `watch_own_tables`.
    UnwatchOwnTables {},
    /// Subscribes to a table: its state and all later events.
    Watch {
        /// The table.
        table: TableId,
        /// The match whose events the client already has.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The number (`seq`) of the last event of that match that the client has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        after: Option<u64>,
        /// The secret of a watch link or an invite, for a private table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        secret: Option<String>,
        /// True for a preview, such as a small board in a list. A preview does not count as a
        /// spectator, and does not make a player present at the player's own table.
        #[serde(default, skip_serializing_if = "is_false")]
        #[ts(optional, as = "Option<bool>")]
        preview: bool,
    },
    /// Ends the subscription of `watch`.
    Unwatch {
        /// The table.
        table: TableId,
    },
    /// Takes a seat before the match has started. At a hotseat table a user may take several seats.
    /// If a bot plays in the user's place, this command takes the seat back from the bot.
    Sit {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The seat; if not given, the first open seat in turn order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
        /// The secret of an invite, for a private table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        invite: Option<String>,
        /// The user's contribution to the lot; made by the server if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        nonce: Option<Nonce>,
    },
    /// Gives up a seat or all seats before the match has started.
    Leave {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The seat to give up; if not given, all of the user's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Removes a user from a seat before the match has started. Only the host may do so.
    Kick {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// Adds a bot that the server runs to an open seat before the match has started. Only the host
    /// may do so.
    AddBot {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The seat; if not given, the first open seat in turn order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
        /// The bot.
        bot: BotChoice,
    },
    /// Makes a move.
    Move {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The `seq` of the last event that the client had received. If the board or the turn has
        /// changed since that event, the move is refused as `stale`.
        after: u64,
        /// The move.
        #[ts(as = "MoveText", rename = "move")]
        #[schemars(with = "MoveText")]
        #[serde(rename = "move")]
        mv: Move,
        /// True to claim the draw by repetition or move count that this move brings about (RULES
        /// G11).
        #[serde(default, skip_serializing_if = "is_false")]
        #[ts(optional, as = "Option<bool>")]
        claim_draw: bool,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Resigns. The match goes on without this player, or ends.
    Resign {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Requests something that needs the consent of all active players, or answers such a request
    /// (RULES G9, S4).
    Request {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The kind of request.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// The action: ask, accept or decline.
        action: RequestAction,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Claims a draw by repetition or move count instead of moving (RULES G11). It must be the
    /// player's turn.
    ClaimDraw {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Starts the countdown that ends a pause.
    Resume {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Sends a message to one of the table's chat rooms.
    Chat {
        /// The table. The connection must watch the table, or the user must hold a seat there.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The room that the user belongs to. If the user now belongs to the other room, the
        /// message is refused as `wrong_room`.
        room: Room,
        /// The message.
        message: ChatMessage,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Requests a rematch with the same players after the match has ended, or answers such a
    /// request.
    Rematch {
        /// The table.
        table: TableId,
        /// The command's id.
        cmd: CommandId,
        /// The match that the command is for. If the table has another match, the command is
        /// refused as `other_match`.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The action: ask, accept or decline.
        action: RequestAction,
        /// The user's contribution to the lot; made by the server if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        nonce: Option<Nonce>,
        /// The user's seat that the command is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Requests a `pong`, which lets the client check that the connection works and that no event
    /// was lost.
    Ping {},
}

impl ClientFrame {
    /// The possible values of the field `t`, in the order of the variants.
    pub const TYPES: [&str; 19] = [
        "hello",
        "watch_lobby",
        "unwatch_lobby",
        "watch_own_tables",
        "unwatch_own_tables",
        "watch",
        "unwatch",
        "sit",
        "leave",
        "kick",
        "add_bot",
        "move",
        "resign",
        "request",
        "claim_draw",
        "resume",
        "chat",
        "rematch",
        "ping",
    ];

    /// Returns the command's id, or `None` if the frame is not a command.
    #[must_use]
    pub const fn command_id(&self) -> Option<&CommandId> {
        match self {
            Self::Hello { .. }
            | Self::WatchLobby {}
            | Self::UnwatchLobby {}
            | Self::WatchOwnTables {}
            | Self::UnwatchOwnTables {}
            | Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Ping {} => None,
            Self::Sit { cmd, .. }
            | Self::Leave { cmd, .. }
            | Self::Kick { cmd, .. }
            | Self::AddBot { cmd, .. }
            | Self::Move { cmd, .. }
            | Self::Resign { cmd, .. }
            | Self::Request { cmd, .. }
            | Self::ClaimDraw { cmd, .. }
            | Self::Resume { cmd, .. }
            | Self::Chat { cmd, .. }
            | Self::Rematch { cmd, .. } => Some(cmd),
        }
    }

    /// Returns the table that the frame names, if any.
    #[must_use]
    pub const fn table(&self) -> Option<TableId> {
        match self {
            Self::Hello { .. }
            | Self::WatchLobby {}
            | Self::UnwatchLobby {}
            | Self::WatchOwnTables {}
            | Self::UnwatchOwnTables {}
            | Self::Ping {} => None,
            Self::Watch { table, .. }
            | Self::Unwatch { table }
            | Self::Sit { table, .. }
            | Self::Leave { table, .. }
            | Self::Kick { table, .. }
            | Self::AddBot { table, .. }
            | Self::Move { table, .. }
            | Self::Resign { table, .. }
            | Self::Request { table, .. }
            | Self::ClaimDraw { table, .. }
            | Self::Resume { table, .. }
            | Self::Chat { table, .. }
            | Self::Rematch { table, .. } => Some(*table),
        }
    }

    /// Returns the match that a command names, if any.
    #[must_use]
    pub const fn match_id(&self) -> Option<MatchId> {
        match self {
            Self::Hello { .. }
            | Self::WatchLobby {}
            | Self::UnwatchLobby {}
            | Self::WatchOwnTables {}
            | Self::UnwatchOwnTables {}
            | Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Ping {} => None,
            Self::Sit { match_id, .. }
            | Self::Leave { match_id, .. }
            | Self::Kick { match_id, .. }
            | Self::AddBot { match_id, .. }
            | Self::Move { match_id, .. }
            | Self::Resign { match_id, .. }
            | Self::Request { match_id, .. }
            | Self::ClaimDraw { match_id, .. }
            | Self::Resume { match_id, .. }
            | Self::Chat { match_id, .. }
            | Self::Rematch { match_id, .. } => *match_id,
        }
    }

    /// Sets the match that a command is for. A frame that is not a command stays unchanged.
    #[must_use]
    pub fn for_match(mut self, of: MatchId) -> Self {
        match &mut self {
            Self::Sit { match_id, .. }
            | Self::Leave { match_id, .. }
            | Self::Kick { match_id, .. }
            | Self::AddBot { match_id, .. }
            | Self::Move { match_id, .. }
            | Self::Resign { match_id, .. }
            | Self::Request { match_id, .. }
            | Self::ClaimDraw { match_id, .. }
            | Self::Resume { match_id, .. }
            | Self::Chat { match_id, .. }
            | Self::Rematch { match_id, .. } => *match_id = Some(of),
            Self::Hello { .. }
            | Self::WatchLobby {}
            | Self::UnwatchLobby {}
            | Self::WatchOwnTables {}
            | Self::UnwatchOwnTables {}
            | Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Ping {} => {}
        }
        self
    }
}

/// An action on a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestAction {
    /// Makes the request.
    Ask,
    /// Accepts the open request.
    Accept,
    /// Declines the open request, or withdraws the user's own request. The request then ends.
    Decline,
}

/// Returns true if a flag is not set, for `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
