//! What happened: the facts of a match's log.

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Cause, Color, Move, Reason, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::chat::{Room, Words};
use crate::lot::{Commitment, Nonce, Secret};
use crate::settings::TableSettings;
use crate::view::UserView;
use crate::vocabulary::{AbortCauseText, CauseText, ColorText, MoveText, ReasonText, RequestText};
use crate::{MatchId, UserId};

/// One fact of a match. The field `type` says which.
///
/// A match is the list of its events, numbered 1, 2, 3, ... (`seq`), and everything else about it follows from
/// them. The log, the frames and exported records hold this same type. What the rules derive from a fact (the
/// changed squares, checks, the notation) is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The table was made; always the first event.
    Opened {
        /// What it was opened with.
        settings: TableSettings,
        /// Who is host to begin with.
        host: UserView,
        /// The hash of the secret that the lot is drawn with (`lot`).
        commitment: Commitment,
        /// The match before it at this table, if this is a rematch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        after: Option<MatchId>,
        /// The users that the host kicked in the matches before it: they stay out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<UserId>>")]
        kicked: Vec<UserId>,
    },
    /// A seat was taken.
    Seated {
        /// Which seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// By whom.
        user: UserView,
        /// What this seat adds to the lot.
        nonce: Nonce,
    },
    /// A seat was given back before the start.
    Vacated {
        /// Which seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// Whether its holder left or was put out by the host.
        why: Vacating,
    },
    /// The host gave the own seat back: somebody else who sits is host now.
    HostPassed {
        /// Who.
        to: UserView,
    },
    /// All seats are held and the match began.
    Started {
        /// Who moves first: drawn by lot, or as the set-up says (RULES D2).
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        beginner: Color,
        /// What the commitment was of: all may check the lot now.
        secret: Secret,
        /// Who holds each seat from now on, if the seats were drawn by lot.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<ColorText, UserView>>")]
        #[schemars(with = "BTreeMap<ColorText, UserView>")]
        seats: BTreeMap<Color, UserView>,
    },
    /// A move was made.
    Moved {
        /// By whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The move.
        #[ts(as = "MoveText")]
        #[schemars(with = "MoveText")]
        mv: Move,
        /// The mover's time left after it, in milliseconds, if the match has clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_ms: Option<u64>,
        /// How long the mover was away on this turn, in milliseconds, if it was: so much of its reconnect bank is spent.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        away_ms: u64,
        /// How much of its time the mover was given back for its line's lag, in milliseconds, if anything.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        lag_ms: u64,
    },
    /// A player went out of a four-player match; its pieces left the board.
    Eliminated {
        /// Who.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// Why.
        #[ts(as = "CauseText")]
        #[schemars(with = "CauseText")]
        cause: Cause,
        /// Whose pieces attacked the king when mate was judged (RULES D12).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ColorText>>")]
        #[schemars(with = "Vec<ColorText>")]
        by: Vec<Color>,
    },
    /// A player asked all others still in for their consent (RULES G9, S4).
    Requested {
        /// To what.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// Who asked.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// One player agreed to the open request of a kind. When the last one does, what was asked for follows at once.
    Agreed {
        /// Which kind.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// Who agreed.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The open request of a kind was declined, or withdrawn by the asker.
    Declined {
        /// Which kind.
        #[ts(as = "RequestText")]
        #[schemars(with = "RequestText")]
        request: Request,
        /// Who declined.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The last moves were taken back (RULES S4).
    TakenBack {
        /// How many.
        plies: u32,
        /// The time left to the player whose clock was running, in milliseconds, if the match has clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_ms: Option<u64>,
    },
    /// Somebody said something.
    Said {
        /// Who.
        user: UserView,
        /// The seat they hold, if any; the one of an eliminated player too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        color: Option<Color>,
        /// Where. What is said among bystanders while the match runs is kept from the seated (RULES D15).
        room: Room,
        /// What.
        words: Words,
    },
    /// The match is paused: all players still in agreed to it.
    Paused {},
    /// The player to move is gone, and the match waits for it.
    Waiting {
        /// For whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// A pause is about to end.
    Resuming {
        /// Who ended it; nobody if the match may not be paused any longer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<ColorText>")]
        #[schemars(with = "Option<ColorText>")]
        color: Option<Color>,
        /// When it ends, milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Play goes on after a pause, or after waiting for somebody.
    Resumed {},
    /// A player stayed away, and a bot plays in its place. The seat stays the player's, and so does the result.
    StoodIn {
        /// Whose seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// Which bot.
        bot: UserView,
    },
    /// A player came back and plays again itself.
    Returned {
        /// Whose seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The server was away while time ran: what lies between is charged to nobody.
    Interrupted {
        /// The last moment at which it is known to have run, milliseconds since the Unix epoch.
        until_ms: u64,
        /// When time runs again, milliseconds since the Unix epoch.
        resumes_ms: u64,
        /// How long the player to move had been away on this turn by `until_ms`, in milliseconds, if it had been: so much
        /// of its reconnect bank is spent, beside what the move's own `away_ms` says.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        away_ms: u64,
    },
    /// The match ended without places; it counts for nothing.
    Aborted {
        /// Why.
        #[ts(as = "AbortCauseText")]
        #[schemars(with = "AbortCauseText")]
        cause: AbortCause,
    },
    /// The match ended.
    Ended {
        /// How.
        #[ts(as = "ReasonText")]
        #[schemars(with = "ReasonText")]
        reason: Reason,
        /// The rank of each player, 1 the best; equal numbers are shared places (RULES D12).
        #[ts(as = "BTreeMap<ColorText, u8>")]
        #[schemars(with = "BTreeMap<ColorText, u8>")]
        places: BTreeMap<Color, u8>,
    },
    /// Somebody who sat asked for another match with the same people.
    RematchAsked {
        /// Who.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The match it is to be.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
        /// The hash of the secret that its lot will be drawn with.
        commitment: Commitment,
        /// What this player adds to the lot.
        nonce: Nonce,
    },
    /// Somebody who sat agreed to another match.
    RematchAgreed {
        /// Who.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// What this player adds to the lot.
        nonce: Nonce,
    },
    /// Somebody who sat wants no other match, or has left.
    RematchDeclined {
        /// Who.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// All who sat agreed: another match has begun at this table. Always the last event.
    Rematched {
        /// Which.
        #[serde(rename = "match")]
        #[ts(rename = "match")]
        match_id: MatchId,
    },
    /// The table closed because nobody was there any more; always the last event.
    Closed {},
}

/// Why a seat was given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Vacating {
    /// Its holder left.
    Left,
    /// The host put its holder out, who may not sit there again.
    Kicked,
}

/// For `skip_serializing_if`: a length of time that is nothing is not written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(millis: &u64) -> bool {
    *millis == 0
}
