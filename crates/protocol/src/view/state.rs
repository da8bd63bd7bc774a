//! The state of a match in a view.

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Cause, Color, Reason, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Phase, SuspensionView};
use crate::vocabulary::{AbortCauseText, CauseText, ColorText, ReasonText, RequestText};

/// The current state, without the pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StateView {
    /// The phase of the match: open, running or ended.
    pub phase: Phase,
    /// The player to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// The players who are not eliminated, in turn order.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub active_players: Vec<Color>,
    /// The eliminated players, in the order of their elimination.
    pub eliminated: Vec<EliminatedView>,
    /// The colors that are in check (RULES G7).
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// The players who will be mated when their turn comes, unless the board changes before that
    /// (RULES D8). The player to move is never among them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Vec<ColorText>")]
    pub facing_mate: Vec<Color>,
    /// The pieces other than a queen that each player may promote to (RULES D5). Empty in
    /// `classic`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, ReserveView>>")]
    #[schemars(with = "BTreeMap<ColorText, ReserveView>")]
    pub reserves: BTreeMap<Color, ReserveView>,
    /// The clocks, if the match has any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub clock: Option<ClockView>,
    /// The open requests, at most one of each kind.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<RequestView>>")]
    pub requests: Vec<RequestView>,
    /// True if the player to move may claim a draw now, before moving.
    pub can_claim_draw: bool,
    /// The time left for this move, in milliseconds, if the match has no clocks but a time limit
    /// for each move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub move_left_ms: Option<u64>,
    /// The current suspension, if no time runs and no player may move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub suspension: Option<SuspensionView>,
    /// The players who are on vacation, in turn order, while the match runs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<VacationView>>")]
    pub vacations: Vec<VacationView>,
    /// The result, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
    /// The player whose stalemate ended the match, if the match ended by stalemate (RULES C4, D9).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub stalemated: Option<Color>,
    /// The reason why the match was aborted; absent if it was not aborted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Option<AbortCause>,
    /// The open request for a rematch, after the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub rematch: Option<RematchView>,
    /// True if the table has closed. A closed table accepts no commands.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub closed: bool,
}

/// The vacation of a player, whose clock does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct VacationView {
    /// The player.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The end of the vacation, in milliseconds since the Unix epoch.
    pub until_ms: u64,
}

/// An eliminated player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EliminatedView {
    /// The player.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The cause of the elimination.
    #[ts(as = "CauseText")]
    #[schemars(with = "CauseText")]
    pub cause: Cause,
}

/// A player's reserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReserveView {
    /// The number of available rooks.
    pub rooks: u8,
    /// The number of available bishops.
    pub bishops: u8,
    /// The number of available knights.
    pub knights: u8,
}

/// The clocks at the moment at which the server made the frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClockView {
    /// Each player's time left, in milliseconds.
    #[ts(as = "BTreeMap<ColorText, u64>")]
    #[schemars(with = "BTreeMap<ColorText, u64>")]
    pub left_ms: BTreeMap<Color, u64>,
    /// The player whose clock runs, if a clock runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub running: Option<Color>,
    /// The delay that is left before the running clock counts down, in milliseconds.
    pub delay_left_ms: u64,
    /// True if the player to move has not made its first move yet. If the player does not move, the
    /// match is aborted at the end of the delay, or in a correspondence match at the end of the
    /// time left.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub first_move: bool,
}

/// An open request that needs the consent of all active players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RequestView {
    /// The kind of request.
    #[ts(as = "RequestText")]
    #[schemars(with = "RequestText")]
    pub request: Request,
    /// The player who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// The players who have agreed, including the player who asked.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// An open request for a rematch with the same players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RematchView {
    /// The player who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// The players who have agreed, including the player who asked.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutcomeView {
    /// The reason.
    #[ts(as = "ReasonText")]
    #[schemars(with = "ReasonText")]
    pub reason: Reason,
    /// The place of each player; 1 is the best. Players with equal numbers share a place.
    #[ts(as = "BTreeMap<ColorText, u8>")]
    #[schemars(with = "BTreeMap<ColorText, u8>")]
    pub places: BTreeMap<Color, u8>,
}
