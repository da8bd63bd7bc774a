//! Events: the facts in a match's log.

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Cause, Color, Move, Reason, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::chat::{ChatMessage, Room};
use crate::lot::{Commitment, Nonce, Secret};
use crate::settings::TableSettings;
use crate::user::UserView;
use crate::vocabulary::{AbortCauseText, CauseText, ColorText, MoveText, ReasonText, RequestText};
use crate::{MatchId, UserId};

/// One fact of a match. The field `type` selects its kind.
///
/// A match is the list of its events, numbered from 1 (`seq`). Its state is computed from these
/// events alone. The log, the frames and exported records contain this same type. An event does not
/// contain what the rules compute from it, such as changed squares, checks and notation.
///
/// The serde aliases are the names of version 0.1. They are needed because logs and records of that
/// version still exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The table was created; always the first event.
    Opened {
        /// The table's settings.
        settings: TableSettings,
        /// The first host.
        host: UserView,
        /// The hash of the secret for the lot, the draw of the first player (module `lot`).
        commitment: Commitment,
        /// The previous match at this table, if this is a rematch.
        #[serde(default, alias = "after", skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        previous: Option<MatchId>,
        /// The users that the host kicked in previous matches at this table. They may not take a
        /// seat again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<UserId>>")]
        kicked: Vec<UserId>,
    },
    /// A seat was taken.
    Seated {
        /// The seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The user who took the seat.
        user: UserView,
        /// The seat's random contribution to the lot.
        nonce: Nonce,
    },
    /// A seat was given up before the start.
    Vacated {
        /// The seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The reason why the seat was given up.
        #[serde(alias = "why")]
        reason: VacateReason,
    },
    /// The host left its seat, so another seated user became host.
    #[serde(alias = "host_passed")]
    HostChanged {
        /// The new host.
        #[serde(alias = "to")]
        host: UserView,
    },
    /// All seats were taken and the match started.
    Started {
        /// The player who moves first (RULES D2). This player is drawn by lot, unless the start
        /// position determines the player.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        #[serde(alias = "beginner")]
        first_player: Color,
        /// The secret whose hash is the commitment. With it everybody can verify the lot.
        secret: Secret,
        /// The new holder of each seat, if the seats were drawn by lot.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<ColorText, UserView>>")]
        #[schemars(with = "BTreeMap<ColorText, UserView>")]
        seats: BTreeMap<Color, UserView>,
    },
    /// A move was made.
    Moved {
        /// The player who moved.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The move.
        #[ts(as = "MoveText", rename = "move")]
        #[schemars(with = "MoveText")]
        #[serde(rename = "move", alias = "mv")]
        mv: Move,
        /// The mover's time left after the move, in milliseconds, if the match has clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_ms: Option<u64>,
        /// The time for which the mover was disconnected during this turn, in milliseconds. It is
        /// deducted from the mover's reconnect bank. Absent if zero.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        away_ms: u64,
        /// The compensation for network lag that the mover's clock received, in milliseconds.
        /// Absent if zero.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        lag_ms: u64,
    },
    /// A player was eliminated from a four-player match. The player's pieces left the board.
    Eliminated {
        /// The eliminated player.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The cause.
        #[ts(as = "CauseText")]
        #[schemars(with = "CauseText")]
        cause: Cause,
        /// The colors whose pieces attacked the king when the mate was determined (RULES D12).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ColorText>>")]
        #[schemars(with = "Vec<ColorText>")]
        by: Vec<Color>,
    },
    /// A player requested something that needs the consent of all other active players (RULES G9,
    /// S4).
    Requested {
        /// The kind of request.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// The player who asked.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// A player agreed to the open request of this kind. The event after the last agreement is the
    /// effect of the request, such as `taken_back`.
    Agreed {
        /// The kind of request.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// The player who agreed.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The open request of this kind was declined by a player, or withdrawn by the player who
    /// asked.
    Declined {
        /// The kind of request.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// The player who declined.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The last moves were taken back (RULES S4).
    TakenBack {
        /// The number of moves.
        plies: u32,
        /// The time left to the player whose clock was running, in milliseconds, if the match has
        /// clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_ms: Option<u64>,
        /// The time for which the player to move had been disconnected during this turn, in
        /// milliseconds, like that of a move. Absent if zero.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        away_ms: u64,
    },
    /// A user sent a chat message.
    #[serde(alias = "said")]
    MessageSent {
        /// The sender.
        user: UserView,
        /// The sender's seat, if the sender has a seat. An eliminated player still has its seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        color: Option<Color>,
        /// The room. Seated players do not receive messages of the bystanders' room while the match
        /// runs (RULES D15).
        room: Room,
        /// The message.
        #[serde(alias = "words")]
        message: ChatMessage,
    },
    /// All active players agreed to a pause, and the match was paused.
    Paused {},
    /// The player to move is disconnected, and the match waits for this player.
    Waiting {
        /// The player that the match waits for.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// A pause is about to end.
    Resuming {
        /// The player who ended the pause; absent if the pause reached its time limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        color: Option<Color>,
        /// The time when the pause ends, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Play continues after a pause, or after waiting for a player.
    Resumed {},
    /// A player of a correspondence match is on vacation, or the end of the vacation has changed. The
    /// player's clock does not run.
    VacationStarted {
        /// The player.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The beginning of the vacation, in milliseconds since the Unix epoch. The player's clock is
        /// charged up to this time.
        since_ms: u64,
        /// The end of the vacation, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// The vacation of a player has ended.
    VacationEnded {
        /// The player.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// A bot plays in the place of a player who stayed away. The seat and the result remain the
    /// player's.
    #[serde(alias = "stood_in")]
    Substituted {
        /// The seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The bot.
        bot: UserView,
    },
    /// A player came back and plays instead of the bot again.
    Returned {
        /// The seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The server was unavailable while a clock ran. No player's clock is charged for the outage.
    Interrupted {
        /// The last time at which the server is known to have run, in milliseconds since the Unix
        /// epoch.
        until_ms: u64,
        /// The time at which the clocks run again, in milliseconds since the Unix epoch.
        resumes_ms: u64,
        /// The time for which the player to move was disconnected during this turn before
        /// `until_ms`, in milliseconds. It is deducted from the player's reconnect bank in addition
        /// to the `away_ms` of the move. Absent if zero.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        away_ms: u64,
    },
    /// The match ended without a result. It does not count in any statistics.
    Aborted {
        /// The cause.
        #[ts(as = "AbortCauseText")]
        #[schemars(with = "AbortCauseText")]
        cause: AbortCause,
    },
    /// The match ended.
    Ended {
        /// The reason.
        #[ts(as = "ReasonText")]
        #[schemars(with = "ReasonText")]
        reason: Reason,
        /// The place of each player; 1 is the best (RULES D12). Players with equal numbers share a
        /// place.
        #[ts(as = "BTreeMap<ColorText, u8>")]
        #[schemars(with = "BTreeMap<ColorText, u8>")]
        places: BTreeMap<Color, u8>,
    },
    /// A player asked for a rematch with the same players.
    #[serde(alias = "rematch_asked")]
    RematchRequested {
        /// The player who asked.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The id of the next match, if all players agree to the rematch.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The hash of the secret for the lot of the rematch.
        commitment: Commitment,
        /// This player's contribution to the lot.
        nonce: Nonce,
    },
    /// A player agreed to the rematch.
    RematchAgreed {
        /// The player who agreed.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// This player's contribution to the lot.
        nonce: Nonce,
    },
    /// A player declined the rematch, or left.
    RematchDeclined {
        /// The player who declined.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// All players agreed, and the next match has begun at this table; always the last event.
    Rematched {
        /// The next match.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
    },
    /// The table closed, because no user was present any more or by an operator; always the last
    /// event.
    Closed {
        /// The reason that the operator gave; absent if no user was present any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
    },
}

/// The reason why a seat was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum VacateReason {
    /// The holder of the seat left.
    Left,
    /// The host removed the holder of the seat. This user may not sit at the table again.
    Kicked,
}

/// Returns true if a duration is zero, for `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(millis: &u64) -> bool {
    *millis == 0
}
