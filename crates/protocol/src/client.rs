//! What a client says over the WebSocket.

use quadrex_rules::{Color, Move, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::bot::BotChoice;
use crate::chat::{Room, Words};
use crate::lot::Nonce;
use crate::vocabulary::{ColorText, MoveText, RequestText};
use crate::{CmdId, MatchId, TableId};

/// One text frame from a client. The field `t` says which.
///
/// Frames with a `cmd` are commands: each gets exactly one `ack` or `refused` that names the `cmd`. Who holds several
/// seats, at a hotseat table, says with `seat` for which one a command is; without it, for the seat to move if one
/// holds it, else for one's only seat still in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientFrame {
    /// Must come first. A program names its bearer token; a browser is known by its cookie.
    Hello {
        /// The bearer token from `POST /api/guests`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        token: Option<String>,
    },
    /// Asks for the list of public tables, and for each change of it.
    WatchLobby {},
    /// Ends `watch_lobby`.
    UnwatchLobby {},
    /// Asks for a table's state and all that happens there.
    Watch {
        /// Which table.
        table: TableId,
        /// The match the client already has events of.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The last `seq` the client has of that match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        after: Option<u64>,
        /// The secret of a watch link or an invite, for a private table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        key: Option<String>,
        /// From afar, as a list with moving boards does: one is neither counted among the spectators nor, at one's own
        /// table, as being there.
        #[serde(default, skip_serializing_if = "is_false")]
        #[ts(optional, as = "Option<bool>")]
        glance: bool,
    },
    /// Ends `watch`.
    Unwatch {
        /// Which table.
        table: TableId,
    },
    /// Takes a seat before the match has started; at a hotseat table also one more. While a bot plays in one's place,
    /// takes one's seat back.
    Sit {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// Which seat; without it the first open one in turn order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
        /// The secret of an invite, for a private table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        invite: Option<String>,
        /// What one adds to the lot; made by the server if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        nonce: Option<Nonce>,
    },
    /// Gives one's seats back before the match has started.
    Leave {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// Which of one's seats; without it all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Puts somebody out of a seat before the match has started; only the host may.
    Kick {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// Whose seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// Puts a bot that the server runs into an open seat before the match has started; only the host may.
    AddBot {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// Which seat; without it the first open one in turn order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
        /// Which bot.
        bot: BotChoice,
    },
    /// Makes a move.
    Move {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The last `seq` the client had seen; refused as `stale` if the board or the turn changed after it.
        at: u64,
        /// The move.
        #[ts(as = "MoveText")]
        #[schemars(with = "MoveText")]
        mv: Move,
        /// Claims a draw by repetition or move count that this move brings about (RULES G11).
        #[serde(default, skip_serializing_if = "is_false")]
        #[ts(optional, as = "Option<bool>")]
        claim_draw: bool,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Resigns; the match goes on without this player, or ends.
    Resign {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Asks all players still in for their consent, or answers such a request (RULES G9, S4).
    Request {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// To what.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// Whether to ask, or which answer.
        act: RequestAct,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Claims a draw by repetition or move count, on one's own turn before moving (RULES G11).
    ClaimDraw {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Ends a pause, after a countdown.
    Resume {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Says something in one of the table's rooms.
    Chat {
        /// Which table; the line watches it, or one sits there.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// The room one belongs to; refused as `wrong_room` if it is the other one by now.
        room: Room,
        /// What is said.
        words: Words,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Asks for another match with the same people, once this one is over, or answers that.
    Rematch {
        /// Which table.
        table: TableId,
        /// The command's name.
        cmd: CmdId,
        /// The match it is for; refused as `other_match` if the table is at another one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        #[ts(optional, rename = "match")]
        match_id: Option<MatchId>,
        /// What is done.
        act: RequestAct,
        /// What one adds to the lot; made by the server if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        nonce: Option<Nonce>,
        /// For which of one's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        seat: Option<Color>,
    },
    /// Asks for a `pong`, to see that the line and the numbers are whole.
    Ping {},
}

impl ClientFrame {
    /// The same command for this match alone; other frames are as they were.
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
            | Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Ping {} => {}
        }
        self
    }
}

/// What one does about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestAct {
    /// Makes it, to all players still in.
    Ask,
    /// Agrees to the open one.
    Accept,
    /// Declines the open one, or withdraws one's own: it ends.
    Decline,
}

/// For `skip_serializing_if`: a flag that is not set is not written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
